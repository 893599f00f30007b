"""The confined side: runs a notebook's cells and answers calls. Nothing here knows of checks."""
