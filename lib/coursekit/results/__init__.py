"""What becomes of grades: pages for students, files for an LMS, an analysis for the instructor."""

from coursekit.results.read import read_results

__all__ = ["read_results"]
