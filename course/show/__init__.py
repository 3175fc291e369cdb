"""Results as text, HTML and pictures; what any value looks like."""
