"""What becomes of grades: pages for students, files for an LMS, an analysis for the instructor."""

from coursekit.results.read import CheckRow, Result, read_results

__all__ = ["CheckRow", "Result", "read_results"]
