"""Sphinx extension: say how to cite the course, by the directive ``citation``.

It reads ``CITATION.cff`` in the course's folder, so that nothing of it is typed twice: the message,
one line as a list of references has it, and an entry for BibTeX.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FILE = "CITATION.cff"
#: The anchor of the section that has the directive.
PLACE = "how-to-cite"


def names(citation: dict[str, Any]) -> list[str]:
    """Return the authors: persons as "Given Family", others by their name."""
    parts = ("given-names", "name-particle", "family-names", "name-suffix", "name")
    return [
        " ".join(str(author[part]) for part in parts if author.get(part))
        for author in citation["authors"]
    ]


def address(citation: dict[str, Any]) -> str:
    """Return where the course is, by the best address that the file has, or ""."""
    if doi := citation.get("doi"):
        return f"https://doi.org/{doi}"
    return str(citation.get("url") or citation.get("repository-code") or "")


def year(citation: dict[str, Any], copyright: str) -> str:
    """Return the year of the release, or before there is one the last of the copyright."""
    released = str(citation.get("date-released") or "")[:4]
    return released or next(iter(re.findall(r"\b\d{4}\b", copyright)[::-1]), "")


def reference(citation: dict[str, Any], when: str) -> str:
    """Return the citation in one line, with a full stop at the end unless it is an address."""
    authors, version = ", ".join(names(citation)), citation.get("version")
    about = f" (version {version})" if version else ""
    line = f"{authors}{f' ({when})' if when else ''}. {citation['title']}{about}."
    return f"{line} {where}" if (where := address(citation)) else line


def bibtex(citation: dict[str, Any], when: str) -> str:
    """Return the citation as an entry for BibTeX, with the fields that are known."""
    key = "".join(re.findall(r"[a-z]+", citation["title"].lower())[:1]) + when
    # An organisation in braces of its own is not taken apart as a person's name would be.
    people = zip(names(citation), citation["authors"], strict=True)
    fields = {
        "author": " and ".join(f"{{{n}}}" if "name" in entry else n for n, entry in people),
        "title": f"{{{citation['title']}}}",
        "year": when,
        "note": f"Version {citation['version']}" if citation.get("version") else "",
        "url": address(citation),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{key},", *lines, "}"])


class Citation(SphinxDirective):
    """Say how to cite the course."""

    def run(self) -> list[nodes.Node]:
        """Return the message, the reference and the BibTeX entry."""
        file = Path(self.env.srcdir).parent / FILE
        self.env.note_dependency(str(file))
        try:
            citation = yaml.safe_load(file.read_text(encoding="utf-8"))
            when = year(citation, self.config.copyright)
            line, entry = reference(citation, when), bibtex(citation, when)
        except (OSError, yaml.YAMLError, AttributeError, KeyError, TypeError) as error:
            problem = f"{FILE}: {error}; the directive citation needs it, with authors and title"
            raise self.error(problem.replace("\n", " ")) from None
        code = nodes.literal_block(entry, entry, language="bibtex")
        said = str(citation.get("message") or "")
        message = [nodes.paragraph("", said)] if said else []
        return [*message, nodes.block_quote("", nodes.paragraph("", line)), code]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("citation", Citation)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
