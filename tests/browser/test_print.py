"""The pages on paper: what colour says is printed, and a heading stays with what follows it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from .conftest import settle

CHAPTERS = [
    "welcome",
    "queries-keys-values",
    "masking",
    "windows",
    "hashing",
    "interpretation",
    "circuits",
    "scores",
]

#: All elements below the article, those inside the figures' shadow trees included.
DEEP = """
    const deep = root => [...root.querySelectorAll("*")].flatMap(
        e => [e, ...(e.shadowRoot ? deep(e.shadowRoot) : [])]);
    const all = deep(document.querySelector("article"));
"""

#: Elements whose ground a printer leaves out although it is neither paper nor panel.
UNPRINTED = (
    "() => {"
    + DEEP
    + """
    const probe = document.body.appendChild(document.createElement("i"));
    const plain = ["rgba(0, 0, 0, 0)"];
    for (const name of ["paper", "desk"]) {
        probe.style.background = `var(--attn-${name})`;
        plain.push(getComputedStyle(probe).backgroundColor);
    }
    const found = new Set();
    const values = all.filter(e => e.matches("td, .masked, .attn-masked, .token"));
    for (const cell of values.filter(e => e.checkVisibility())) {
        const style = getComputedStyle(cell);
        const coloured = !plain.includes(style.backgroundColor);
        const hatched = style.backgroundImage.includes("repeating-linear-gradient");
        if ((coloured || hatched) && style.printColorAdjust !== "exact")
            found.add(cell.outerHTML.slice(0, 90));
    }
    return [...found];
}"""
)

#: Text that would be pale on white paper: contrast below 4.5 where its ground is not printed.
PALE = (
    "() => {"
    + DEEP
    + """
    const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const light = colour => {
        pen.fillStyle = "white";
        pen.fillRect(0, 0, 1, 1);
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3)
            .map(x => x / 255).map(x => x <= 0.04 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const words = e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    const found = new Set();
    for (const element of all.filter(e => e instanceof HTMLElement && words(e))) {
        const style = getComputedStyle(element);
        if (style.printColorAdjust === "exact" || !element.checkVisibility()) continue;
        if (1.05 / (light(style.color) + 0.05) < 4.5) found.add(element.outerHTML.slice(0, 90));
    }
    return [...found];
}"""
)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_page_on_paper(browser: Browser, site_url: str, name: str) -> None:
    page = browser.new_page(viewport={"width": 800, "height": 1000})
    page.goto(f"{site_url}/{name}.html")
    settle(page)
    for scheme in ("dark", "light"):
        page.emulate_media(media="print", color_scheme=scheme)  # type: ignore[arg-type]
        assert page.evaluate(UNPRINTED) == []
        assert page.evaluate(PALE) == []
    for kind, rule, parts in (
        ("breakAfter", "avoid", ":is(h1, h2, h3, h4, .ck-kicker, .ck-title)"),
        ("breakInside", "avoid", ":is(.attn-figure, [data-explorable])"),
    ):
        unruled = page.locator(f"article {parts}").evaluate_all(
            """(all, [kind, rule]) => all.filter(e => e.checkVisibility()
                && !getComputedStyle(e)[kind].startsWith(rule)).map(e => e.outerHTML)""",
            [kind, rule],
        )
        assert unruled == []
    cut = page.locator("article :is(pre, textarea, .scroll)").evaluate_all(
        "blocks => blocks.filter(b => b.scrollWidth > b.clientWidth + 1).map(b => b.textContent)"
    )
    assert cut == []
    page.close()


@pytest.mark.parametrize("name", ["masking", "hashing"])
def test_folded_content_is_printed_without_its_button(page: Page, name: str) -> None:
    page.goto(f"{name}.html")
    page.emulate_media(media="print")
    shown = "parts => parts.map(part => part.getBoundingClientRect().height > 0)"
    folds = page.locator("article .sd-dropdown > .sd-summary-content").evaluate_all(shown)
    cells = page.locator("article .cell details.hide .cell_output").evaluate_all(shown)
    labels = page.locator("article .cell details.hide > summary").evaluate_all(shown)
    hints = page.locator("article .ck-hint").evaluate_all(shown)
    assert (any(folds), any(cells), any(labels), any(hints)) == (True, True, False, False)
    assert all([*folds, *cells])
    assert hints
