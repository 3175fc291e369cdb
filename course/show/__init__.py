"""Results as text and HTML, pictures, and the display of any value."""
