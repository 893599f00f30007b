"""What becomes of grades: pages for students, files for an LMS, an analysis for the instructor."""
