"""Results as text and HTML, pictures, and a short display of any value."""
