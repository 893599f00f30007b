"""Turn grades into pages for students, files for an LMS, and an analysis."""

from coursekit.results.read import read_results

__all__ = ["read_results"]
