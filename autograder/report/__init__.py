"""Reports: as data, and as people read them."""
