"""How much processor time a step of an explorable takes: `python benchmarks/explorables.py`.

A step is one change of state, as a drag makes one for each frame, with everything that the page
does for it: arithmetic, elements, style, layout, paint. Chromium counts the time of the page's main
thread on its processor, so that a busy machine does not lengthen it; waiting for the frame does not
count. The median over turns of 20 steps is held against the goal.

The site must be built. Results go to ``benchmarks/results/explorables.json`` with the environment
and load under which they were measured.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import grading_class as the_class

from attnlab import explorables
from attnlab.drawing.tokens import style_element
from attnlab.explorables.base import Explorable
from tools.site.browser import FLAGS, NONE, find_browser

ROOT = Path(__file__).resolve().parents[1]
ASSETS = ROOT / "_build" / "assets"
RESULTS = ROOT / "benchmarks" / "results" / "explorables.json"
GOAL = 8.0  # ms a step, median
STEPS = 20

#: One change of state in each frame.
STEP = """
    async ([element, states]) => {
        const figure = document.querySelector(element);
        for (const state of states) {
            await new Promise(requestAnimationFrame);
            figure.setState(state);
        }
        await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    }
"""

State = dict[str, Any]


def _turning(key: str) -> Callable[[int], State]:
    return lambda i: {key: [round(math.cos(i / 9), 3), round(math.sin(i / 9), 3)]}


def _painted(i: int) -> State:
    return {"mask": [[(row * 5 + column) != i % 25 for column in range(5)] for row in range(5)]}


#: What a reader moves in each: the state at step i.
MOVES: dict[str, Callable[[int], State]] = {
    "ContextVector": _turning("query"),
    "MaskPaint": _painted,
    "Reach": lambda i: {"layers": 1 + i % 8},
    "SelfCross": lambda i: {"selected": i % 4},
    "SoftDictionary": lambda i: {"temperature": 0.1 + (i % 30) / 10},
    "WindowMask": lambda i: {"window": i % 16},
}


def main() -> None:
    """Measure every explorable that has a move here, print and store the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=15, help="turns of 20 steps (15)")
    parser.add_argument("--output", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args()
    program = find_browser()
    if not (ASSETS / "explorables.js").is_file():
        parser.error("the site is not built; run `make book` first")
    if program is None:
        parser.error(NONE)
    about = the_class.environment() | {"load before": round(os.getloadavg()[0], 1)}
    steps = {name: _report(name, turns) for name, turns in _measured(program, options.turns)}
    about["load after"] = round(os.getloadavg()[0], 1)
    stored = {"environment": about, "goal, ms": GOAL, "processor time of a step, ms": steps}
    options.output.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    print(options.output)


def _report(name: str, turns: list[float]) -> dict[str, float]:
    median, worst = statistics.median(turns), max(turns)
    verdict = "reached" if median <= GOAL else "MISSED"
    print(f"  {name:15} {median:5.1f} ms a step, at most {worst:.1f} (goal {GOAL:g}: {verdict})")
    return {
        "median": round(median, 2),
        "smallest": round(min(turns), 2),
        "largest": round(worst, 2),
    }


def _measured(program: str, turns: int) -> Iterator[tuple[str, list[float]]]:
    """Yield each explorable's name and its times of a step in ms, one for each turn."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        for name, move in MOVES.items():
            figure: Explorable = getattr(explorables, name)()
            page = browser.new_page(viewport={"width": 390, "height": 844})
            path = Path(folder) / "figure.html"
            path.write_text(_html(figure), encoding="utf-8")
            page.goto(path.as_uri())
            page.wait_for_function("e => document.querySelector(e)?.shadowRoot", arg=figure.element)
            yield name, _turns(page, figure.element, move, turns)
            page.close()
        browser.close()


def _html(figure: Explorable) -> str:
    sources = [ASSETS / "explorables.js", ASSETS / "explorables" / f"{figure.element}.js"]
    scripts = "".join(f'<script defer src="{path.as_uri()}"></script>' for path in sources)
    return (
        f"<!doctype html><title>{figure.element}</title>{style_element()}{scripts}{figure.html()}"
    )


def _turns(page: Page, element: str, move: Callable[[int], State], turns: int) -> list[float]:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    numbers, times = itertools.count(), []
    for _ in range(turns + 1):  # the first compiles
        states = [move(next(numbers)) for _ in range(STEPS)]
        before = _busy(session)
        page.evaluate(STEP, [element, states])
        times.append(1000 * (_busy(session) - before) / STEPS)
    return times[1:]


def _busy(session: CDPSession) -> float:
    """Return how many seconds the page's main thread has computed."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(m["value"] for m in metrics if m["name"] == "TaskDuration"))


if __name__ == "__main__":
    main()
