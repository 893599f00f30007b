"""Mend what an accessibility checker finds in the pages that Sphinx writes."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag

#: docutils marks a bibliography as a list whose entries it does not mark as its items.
_ROLES = {"list", "listitem", "doc-biblioentry", "doc-backlink", "doc-noteref"}


def fix_accessibility(page: BeautifulSoup) -> None:
    """Make the names, roles and regions of a page right, in place."""
    for element in page.find_all(True):  # each search of its own would read the page once more
        classes = element.get("class") or ()
        if element.get("role") in _ROLES:
            del element["role"]
        if element.name == "summary":  # what differs from the visible text cannot be spoken to
            del element["aria-label"]
        elif "pst-scrollable-table-container" in classes:
            caption = element.find("caption")
            name = caption.get_text(" ", strip=True) if isinstance(caption, Tag) else "Table"
            element["role"], element["aria-label"] = "group", name
        elif element.name == "th" and not element.get_text(strip=True) and not element.find("img"):
            element.name = "td"  # the corner of a table heads nothing
        elif "ck-options" in classes:  # a checker takes no name from MathML
            for formula in element.find_all("math"):
                formula["aria-label"] = formula.get_text(" ", strip=True)
