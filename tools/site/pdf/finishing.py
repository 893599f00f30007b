"""Add what Chromium leaves out of a PDF, author and date, and merge pictures that repeat.

The same document gives the same bytes: the file's date is that of the version, not of the printing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name, Object, Stream, String

#: Elements of HTML that Chromium writes under names which only PDF 2.0 knows.
_ROLES = {"/Em": "/Span", "/Strong": "/Span"}


def finish_pdf(printed: bytes, *, title: str, author: str, language: str, day: str) -> bytes:
    """Return a printed file with its metadata, at a third of its size.

    Parameters
    ----------
    printed : bytes
        The file as Chromium writes it.
    title, author, language : str
        What a reader of the file shows and reads aloud.
    day : str
        The date of the version, as in ``2026-01-31``; "" for a file without a date.
    """
    with pikepdf.open(BytesIO(printed)) as file:
        about = {"/Title": title, "/Author": author}
        if day:
            about["/CreationDate"] = about["/ModDate"] = f"D:{day.replace('-', '')}000000Z"
        for entry in list(file.docinfo.keys()):
            del file.docinfo[entry]
        for entry, value in about.items():
            if value:
                file.docinfo[entry] = String(value)
        root = file.Root
        root.Lang = String(language)
        root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
        root.PageMode = Name.UseOutlines
        root.StructTreeRoot.RoleMap = Dictionary({k: Name(v) for k, v in _ROLES.items()})
        _merge(file)
        _number(file)
        made = BytesIO()
        file.save(
            made,
            compress_streams=True,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            deterministic_id=True,
        )
    return made.getvalue()


def _merge(file: pikepdf.Pdf) -> None:
    """Keep one of each picture: every hatched cell has brought its own."""
    kept: dict[tuple[Any, ...], Object] = {}
    for table in list(_tables(file)):
        for name, value in list(table.items()):
            if isinstance(value, Stream) and value.get("/Subtype") == Name.Image:
                table[name] = kept.setdefault(_content(value), value)


def _tables(file: pikepdf.Pdf) -> Iterator[Dictionary]:
    """Yield the names under which pages, and parts of pages, know their pictures."""
    for thing in file.objects:
        if isinstance(thing, (Dictionary, Stream)):
            resources = thing.get("/Resources")
            pictures = resources.get("/XObject") if isinstance(resources, Dictionary) else None
            if isinstance(pictures, Dictionary):
                yield pictures


def _number(file: pikepdf.Pdf) -> None:
    """Number the headers of tables from 1: Chromium counts on from what it has opened before."""
    elements = [thing for thing in file.objects if isinstance(thing, Dictionary)]
    named = [thing for thing in elements if "/S" in thing and "/ID" in thing]
    before = sorted({bytes(element.ID) for element in named})
    names = {name: String(f"node{number:08}") for number, name in enumerate(before, 1)}
    for element in named:
        element.ID = names[bytes(element.ID)]
    for element in elements:
        own = element.get("/A")
        for attributes in list(own) if isinstance(own, pikepdf.Array) else []:
            if isinstance(attributes, Dictionary) and "/Headers" in attributes:
                headers = [names.get(bytes(header), header) for header in attributes.Headers]
                attributes.Headers = pikepdf.Array(headers)
    _rename_tree(file.Root.StructTreeRoot.get("/IDTree"), names)


def _rename_tree(node: Object | None, names: dict[bytes, String]) -> None:
    if not isinstance(node, Dictionary):
        return
    for key in ("/Limits", "/Names"):
        if key in node:
            entries = [
                names.get(bytes(entry), entry) if isinstance(entry, String) else entry
                for entry in node[key]
            ]
            node[key] = pikepdf.Array(entries)
    for kid in node.get("/Kids", []):
        _rename_tree(kid, names)


def _content(picture: Stream) -> tuple[Any, ...]:
    """Return what two pictures have in common where they are the same."""
    entries = {key: value for key, value in picture.items() if key != "/SMask"}
    mask = picture.get("/SMask")
    return (
        hashlib.sha256(picture.read_raw_bytes()).digest(),
        tuple(sorted((key, repr(value)) for key, value in entries.items())),
        _content(mask) if isinstance(mask, Stream) else None,
    )
