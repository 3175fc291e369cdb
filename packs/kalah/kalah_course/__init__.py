"""The package that students import, of the pack kalah."""
