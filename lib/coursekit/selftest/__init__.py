"""Test the exercises themselves: a check that cannot fail is a defect."""
