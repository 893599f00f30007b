"""What a reader waits for, and what pages weigh: `python benchmarks/pages.py`.

Every page is opened on a phone's screen with nothing in the cache, from a server that packs text
with gzip. Then: how soon the first figure moves, how long the first *Check* takes with Python still
to come, beside Pyodide and NumPy alone in the same run, and how soon names and steps appear.

The site must be built. Results go to ``benchmarks/results/pages.json`` with the environment and the
load under which they were measured; ``benchmarks/lighthouse.py`` adds what Lighthouse says.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import grading_class as the_class
import page_measures as measure
from page_server import serving

from tools.site.browser import NONE, find_browser

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
RESULTS = ROOT / "benchmarks" / "results" / "pages.json"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
GOALS = {
    "bytes of a page": 140 * 1024,
    "first movement after load, ms": 1000,
    "first Check, ms": 5000,
    "names, ms": 100,
    "steps, ms": 100,
}
FRONT, CHAPTER = "welcome.html", "queries-keys-values.html"
THINKING = 10_000  # ms between the editor's focus and Check
LISTED = 20  # completions and traces
NOT_READ = ("404", "genindex", "index", "search")

Numbers = dict[str, float]


def main() -> None:
    """Measure what is asked for, print and store it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=5, help="turns of each measurement (5)")
    parser.add_argument("--pages", nargs="*", default=None, help="weigh these only (all)")
    parser.add_argument("--output", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args()
    program = find_browser()
    if not (SITE / "index.html").is_file():
        parser.error("the site is not built; run `make book` first")
    if program is None:
        parser.error(NONE)
    stored = json.loads(options.output.read_text()) if options.output.is_file() else {}
    about = the_class.environment() | {"load before": round(os.getloadavg()[0], 1)}
    with serving(SITE) as url, sync_playwright() as playwright:
        # One browser for each measurement: nothing of one is left for the next.
        def fresh() -> Browser:
            return playwright.chromium.launch(executable_path=program, args=FLAGS)

        names = _pages() if options.pages is None else options.pages
        stored |= {"environment": about, "goals": GOALS, "pages": weights(fresh, url, names)}
        stored |= {"first movement": movement(fresh, url, options.turns)}
        stored |= {"Python": python(fresh, url, options.turns)}
        stored |= {"in the editor": editing(fresh, url, options.turns)}
    about["load after"] = round(os.getloadavg()[0], 1)
    options.output.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    print(options.output)


def _pages() -> list[str]:
    return sorted(path.stem for path in SITE.glob("*.html") if path.stem not in NOT_READ)


def weights(fresh: Callable[[], Browser], url: str, names: Iterable[str]) -> dict[str, Any]:
    """Weigh pages, print each, and return what came of them by their names."""
    made = {}
    goal = GOALS["bytes of a page"]
    for name in names:
        browser = fresh()
        made[name] = found = measure.weight(browser, f"{url}{name}.html")
        browser.close()
        verdict = "" if found["bytes"] <= goal else f" (goal {goal / 1024:.0f}: MISSED)"
        told = f"{found['bytes'] / 1024:6.1f} KiB in {found['requests']:2}{verdict}"
        shift, paint = found["layout shift"], found["largest paint, ms"]
        print(f"  {name:22}{told}, shift {shift:.3f}, largest paint {paint} ms", flush=True)
    return made


def movement(fresh: Callable[[], Browser], url: str, turns: int) -> dict[str, Any]:
    """Return how soon the first figure moves: here, and on a processor four times as slow."""
    made = {}
    for name, slowed in (("this machine", 1), ("four times as slow", 4)):
        rows = []
        for _ in range(turns):
            browser = fresh()
            rows.append(measure.first_movement(browser, url + FRONT, slowed))
            browser.close()
        made[name] = {key: _summary(row[key] for row in rows) for key in rows[0]}
        median = made[name]["after load"]["median"]
        _tell(f"first movement, {name}", median, goal=GOALS["first movement after load, ms"])
    return made


def python(fresh: Callable[[], Browser], url: str, turns: int) -> dict[str, Any]:
    """Return what *Check* takes, beside Pyodide and NumPy alone in the same turns."""
    manifest = json.loads((SITE / "_static" / "pyodide" / "manifest.json").read_text())
    rows: dict[str, list[Numbers]] = {}
    for _ in range(turns):
        browser = fresh()
        rows.setdefault("Pyodide and NumPy alone", []).append(
            measure.bare_python(browser, url, manifest["numpy"])
        )
        browser.close()
        for prefix, thinking in (("", 0), ("focused before, ", THINKING)):
            browser = fresh()
            for name, found in measure.checks(browser, url + CHAPTER, thinking).items():
                if not thinking or name == "first":
                    rows.setdefault(f"{prefix}{name} Check", []).append(found)
            browser.close()
    made: dict[str, Any] = {
        name: {key: _summary(row[key] for row in found) for key in found[0]}
        for name, found in rows.items()
    }
    for name in made:
        medians = [made[name][key]["median"] for key in ("ms", "processor ms")]
        _tell(name, *medians, goal=GOALS["first Check, ms"])
    ratio = [
        ours["processor ms"] / alone["processor ms"]
        for ours, alone in zip(rows["first Check"], rows["Pyodide and NumPy alone"], strict=True)
    ]
    made["first Check over Pyodide and NumPy alone, processor time"] = _summary(ratio)
    print(f"  processor time over Pyodide and NumPy alone: {statistics.median(ratio):.2f}")
    return made


def editing(fresh: Callable[[], Browser], url: str, turns: int) -> dict[str, Any]:
    """Return how soon names that fit and steps appear where Python is loaded."""
    browser = fresh()
    context = browser.new_context(**measure.PHONE)
    page = measure.warm(context, url + CHAPTER)
    many = range(max(2, LISTED * turns // 5))
    measure.complete(page, measure.asked_for)  # the first compiles
    made = {}
    for name, goal, once in (
        ("names, asked for", "names, ms", lambda: measure.complete(page, measure.asked_for)),
        ("names, typing", "names, ms", lambda: measure.complete(page, measure.typed)),
        ("steps", "steps, ms", lambda: measure.step(page)),
    ):
        before = measure.busy(browser)
        waited = _summary(once() for _ in many)
        computed = round(1000 * (measure.busy(browser) - before) / len(many))
        made[name] = {"ms": waited, "processor ms, with all that is typed": computed}
        _tell(name, waited["median"], computed, goal=GOALS[goal])
    browser.close()
    return made


def _summary(values: Iterable[float]) -> Numbers:
    all_of_them = list(values)
    return {
        "median": round(statistics.median(all_of_them), 2),
        "smallest": round(min(all_of_them), 2),
        "largest": round(max(all_of_them), 2),
    }


def _tell(name: str, waited: float, computed: float | None = None, *, goal: float) -> None:
    """Print a median; where processor time is known, it decides: a busy machine only waits."""
    verdict = "reached" if (waited if computed is None else computed) <= goal else "MISSED"
    also = "" if computed is None else f", {computed:.0f} of them computing"
    print(f"  {name}: {waited:.0f} ms{also} (goal {goal:.0f}: {verdict})", flush=True)


if __name__ == "__main__":
    main()
