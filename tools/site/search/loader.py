"""Load the rest of the search once it is wanted: the part that every page carries."""

from __future__ import annotations

from bs4 import BeautifulSoup

#: Loads the search, and opens its dialog by the key that readers know from elsewhere.
_LOADER = (
    '{const{src}=document.currentScript.dataset,d=document.getElementById("search-dialog"),'
    'load=()=>document.head.append(Object.assign(document.createElement("script"),{src}));%s;'
    'addEventListener("keydown",e=>{'
    'const t=e.composedPath()[0];if(e.key!="/"||e.ctrlKey||e.metaKey||e.altKey||d.open||'
    "t.isContentEditable||/^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName))return;e.preventDefault();"
    'document.querySelector(".search-button").click()})}'
)
_IN_DIALOG = 'd.addEventListener("focusin",load,{once:true})'
#: At once where the address asks for something, as a form without JavaScript does.
_ON_ITS_PAGE = (
    'location.search?addEventListener("DOMContentLoaded",load)'
    ':addEventListener("focusin",load,{once:true})'
)


def add_search(page: BeautifulSoup, name: str, root: str, script: str) -> None:
    """Have a page load the search when it is wanted: when its field or its dialog has the focus.

    Parameters
    ----------
    page : BeautifulSoup
        The page, which is changed.
    name : str
        Its file name.
    root : str
        What leads from it to the site's root.
    script : str
        Where the search is, from there.
    """
    dialog = page.select_one("#search-dialog")
    if dialog is None:
        return
    # As an attribute, for a server that moves the page for what is not found to another folder.
    loader = page.new_tag("script", attrs={"data-src": root + script})
    when = _ON_ITS_PAGE if name == "search.html" else _IN_DIALOG
    loader.string = _LOADER % when
    dialog.insert_after(loader)
