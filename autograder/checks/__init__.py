"""What of each exam cannot be derived: strategies, special inputs, acceptance relations. One module per unit."""
