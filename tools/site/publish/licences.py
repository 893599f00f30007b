"""Name the licences of text and code at a page's foot, and link how to cite the course."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from bs4 import BeautifulSoup

from coursekit.course import SETTINGS
from tools.site.citation import PLACE
from tools.site.project import Project

_COMMONS = re.compile(r"//creativecommons\.org/licenses/([a-z-]+)/([\d.]+)")
#: A licence's identifier, where it is not an expression such as ``MIT OR Apache-2.0``.
_IDENTIFIER = re.compile(r"[A-Za-z0-9.-]+")
_SPDX = "https://spdx.org/licenses/{}.html"


@dataclass(frozen=True)
class Licences:
    """What a foot says: names with their addresses, each of which may be "".

    ``text`` and ``code`` are what licences are called, and where they stand; ``cite`` is the
    address of the section that says how to cite the course, relative to the site's root.
    """

    text: tuple[str, str] = ("", "")
    code: tuple[str, str] = ("", "")
    cite: str = ""


def licences(project: Project, staged: Mapping[str, str]) -> Licences:
    """Return the licences of the settings, and where the staged pages say how to cite."""
    package = tomllib.loads((project.root / SETTINGS).read_text(encoding="utf-8"))["project"]
    address, code = project.settings.text_license, package.get("license")
    code = code if isinstance(code, str) else ""
    spdx = _SPDX.format(code) if _IDENTIFIER.fullmatch(code) else ""
    cite = next((f"{name}#{PLACE}" for name, page in staged.items() if f'id="{PLACE}"' in page), "")
    return Licences((text_name(address), address), (code, spdx), cite)


def text_name(address: str) -> str:
    """Return what a licence at an address is called: those of Creative Commons have short names."""
    if found := _COMMONS.search(address):
        return f"CC {found[1].upper()} {found[2]}"
    return "its licence" if address else ""


def add_licences(page: BeautifulSoup, said: Licences, root: str) -> None:
    """Write the line below the version; ``root`` leads from the page to the site's folder."""
    place = page.select_one(".bd-footer-content .copyright")
    parts = [
        *((f"{what} under ", *named) for what, named in (("Text", said.text), ("code", said.code))),
        ("", "how to cite", root + said.cite if said.cite else ""),
    ]
    shown = [part for part in parts if part[1] and (part[0] or part[2])]
    if place is None or not shown:
        return
    place.append(page.new_tag("br"))
    for at, (before, name, address) in enumerate(shown):
        place.append(f"{' · ' if at else ''}{before}")
        if address:
            link = page.new_tag("a", href=address)
            link.string = name
            place.append(link)
        else:
            place.append(name)
