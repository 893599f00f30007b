"""The confined side: it runs a notebook's cells and answers calls, and never sees a check."""
