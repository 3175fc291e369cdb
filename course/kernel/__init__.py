"""The running notebook: its cells and their history, its settings, and limits of time and memory."""
