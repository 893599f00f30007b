"""Build the site: from chapters, library and exercises to static pages and notebooks."""
