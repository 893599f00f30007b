"""Every topic that the course promised has its sections, as `promises.toml` lists them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from coursekit.notebook.myst import parse
from coursekit.routes import load_routes
from tests.course import BANK

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = load_routes(ROOT / "exercises", BANK)["whole"].chapters


@cache
def sections(page: str) -> dict[str, str]:
    """Return the sections of a page by their headings, each with those below it, as one line."""
    text = (ROOT / "book" / f"{page}.md").read_text(encoding="utf-8")
    tokens, lines = parse(text, is_page=True), text.splitlines()
    found = [
        (token.tag, tokens[i + 1].content, token.map[0])
        for i, token in enumerate(tokens)
        if token.type == "heading_open" and token.map and token.level == 0
    ]
    made = {}
    for i, (level, heading, start) in enumerate(found):
        # The title stands for what comes before the first section.
        ends = (line for deep, _, line in found[i + 1 :] if deep <= level or level == "h1")
        made[heading] = " ".join("\n".join(lines[start : next(ends, len(lines))]).split())
    return made


def test_every_promised_topic_stands_where_the_list_says() -> None:
    promises = tomllib.loads((Path(__file__).parent / "promises.toml").read_text(encoding="utf-8"))
    assert list(promises) == [f"R{number:02}" for number in range(1, 51)]
    missing = []
    for row, places in promises.items():
        for place, words in places.items():
            page, _, heading = place.partition("#")
            for each in CHAPTERS if page == "*" else [page]:
                text = sections(each).get(heading)
                lost = ["its heading"] if text is None else [w for w in words if w not in text]
                missing += [f"{row}, {each}, “{heading}”: {what}" for what in lost]
    assert missing == []
