"""What each `foldem` command does; `cli` has the words that they take."""
