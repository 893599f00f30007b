"""Print the book: each chapter as a PDF, and all of them as one, with an outline and tags.

``make pdf`` prints them from the finished pages, and finishes the pages again: the menu of a page
offers the files that are there. A build removes those whose page has changed since, so that no page
offers what it does not say any more.
"""
