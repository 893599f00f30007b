"""Mend what an accessibility checker finds in the pages that Sphinx writes."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag

#: docutils marks a bibliography as a list whose entries it does not mark as its items.
_ROLES = ["list", "listitem", "doc-biblioentry", "doc-backlink", "doc-noteref"]


def fix_accessibility(page: BeautifulSoup) -> None:
    """Make the names, roles and regions of a page right, in place."""
    # A label that differs from the visible text cannot be spoken to: the text is the name.
    for element in page.find_all("summary", attrs={"aria-label": True}):
        del element["aria-label"]
    for number, aside in enumerate(page.find_all("aside", class_="margin"), start=1):
        aside["role"], aside["aria-label"] = "note", f"Margin note {number}"
    for element in page.find_all(role=_ROLES):
        del element["role"]
    for box in page.find_all(class_="pst-scrollable-table-container"):
        caption = box.find("caption")
        name = caption.get_text(" ", strip=True) if isinstance(caption, Tag) else "Table"
        box["role"], box["aria-label"] = "group", name
    for cell in page.find_all("th"):
        if not cell.get_text(strip=True) and cell.find("img") is None:
            cell.name = "td"  # the corner of a table heads nothing
    # A checker takes no name from MathML: an option that is a formula alone is named by its text.
    for options in page.find_all(class_="ck-options"):
        for formula in options.find_all("math"):
            formula["aria-label"] = formula.get_text(" ", strip=True)
