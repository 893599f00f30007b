"""Mend what an accessibility checker finds in the theme's pages."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag


def fix_accessibility(page: BeautifulSoup) -> None:
    """Make the names, roles and regions of a page right, in place."""
    _drop_labels_that_hide_text(page)
    _name_icon_buttons(page)
    _name_regions(page)
    _undo_list_roles(page)
    _reach_what_scrolls(page)
    _empty_headers(page)
    _name_formula_options(page)


def _drop_labels_that_hide_text(page: BeautifulSoup) -> None:
    # A label that differs from the visible text cannot be spoken to: the text is the name.
    for element in page.select("summary[aria-label], .search-button-field[aria-label]"):
        del element["aria-label"]
    for key in page.select(".search-button__kbd-shortcut"):
        key["aria-hidden"] = "true"


def _name_icon_buttons(page: BeautifulSoup) -> None:
    for button in page.select("button[title], button[aria-label], a[title]"):
        name = button.get("title") or button.get("data-bs-title")
        if name and not button.get_text(strip=True) and not button.get("aria-label"):
            button["aria-label"] = name
    for button in page.select("[data-bs-toggle=tooltip]"):  # the browser shows titles by itself
        button["title"] = button.get("title") or button["data-bs-title"]
        for name in [name for name in button.attrs if name.startswith("data-bs-")]:
            del button[name]
    for picture in page.select("i[title], span.icon-box[title]"):
        del picture["title"]


def _name_regions(page: BeautifulSoup) -> None:
    sidebar = page.select_one("#pst-primary-sidebar")
    if sidebar is not None:
        sidebar["role"], sidebar["aria-label"] = "complementary", "Book"
    contents = page.select_one("#pst-secondary-sidebar")
    if contents is not None:
        contents["role"], contents["aria-label"] = "complementary", "On this page"
    for number, aside in enumerate(page.select("aside.margin"), start=1):
        aside["role"] = "note"
        aside["aria-label"] = f"Margin note {number}"
    for dialog, name in (("#pst-search-dialog", "Search"), ("#pst-primary-sidebar-modal", "Book")):
        element = page.select_one(dialog)
        if element is not None:
            element["aria-label"] = name
    element = page.select_one("#pst-secondary-sidebar-modal")
    if element is not None:
        element["aria-label"] = "On this page"


def _undo_list_roles(page: BeautifulSoup) -> None:
    # docutils marks a bibliography as a list whose entries it does not mark as its items.
    for element in page.select("[role=list], [role=listitem], [role=doc-biblioentry]"):
        del element["role"]
    for back in page.select("[role=doc-backlink], [role=doc-noteref]"):
        del back["role"]


def _reach_what_scrolls(page: BeautifulSoup) -> None:
    # What scrolls sideways must be reached without a mouse. The theme's script sees to it for
    # code and tables, and for this class, which nothing else here bears.
    for formula in page.select("div.math"):
        formula["class"] = f"{' '.join(formula.get_attribute_list('class'))} jp-RenderedHTMLCommon"
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
    # A checker takes no name from MathML: an option that is a formula alone is named by its TeX.
    for option in page.select(".ck-options > li"):
        for formula in option.select("math"):
            tex = formula.select_one("annotation")
            if tex is not None:
                formula["aria-label"] = tex.get_text(" ", strip=True)
