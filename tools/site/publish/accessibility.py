"""Mend what an accessibility checker finds in the pages that Sphinx writes."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag


def fix_accessibility(page: BeautifulSoup) -> None:
    """Make the names, roles and regions of a page right, in place."""
    _drop_labels_that_hide_text(page)
    _name_notes(page)
    _undo_list_roles(page)
    _name_what_scrolls(page)
    _empty_headers(page)
    _name_formula_options(page)


def _drop_labels_that_hide_text(page: BeautifulSoup) -> None:
    # A label that differs from the visible text cannot be spoken to: the text is the name.
    for element in page.select("summary[aria-label]"):
        del element["aria-label"]


def _name_notes(page: BeautifulSoup) -> None:
    for number, aside in enumerate(page.select("aside.margin"), start=1):
        aside["role"] = "note"
        aside["aria-label"] = f"Margin note {number}"


def _undo_list_roles(page: BeautifulSoup) -> None:
    # docutils marks a bibliography as a list whose entries it does not mark as its items.
    for element in page.select("[role=list], [role=listitem], [role=doc-biblioentry]"):
        del element["role"]
    for back in page.select("[role=doc-backlink], [role=doc-noteref]"):
        del back["role"]


def _name_what_scrolls(page: BeautifulSoup) -> None:
    for box in page.select(".pst-scrollable-table-container"):
        caption = box.select_one("caption")
        name = caption.get_text(" ", strip=True) if isinstance(caption, Tag) else "Table"
        box["role"], box["aria-label"] = "group", name


def _empty_headers(page: BeautifulSoup) -> None:
    # The corner of a table heads nothing.
    for cell in page.select("th"):
        if not cell.get_text(strip=True) and cell.find("img") is None:
            cell.name = "td"


def _name_formula_options(page: BeautifulSoup) -> None:
    # A checker takes no name from MathML: an option that is a formula alone is named by its text.
    for formula in page.select(".ck-options math"):
        formula["aria-label"] = formula.get_text(" ", strip=True)
