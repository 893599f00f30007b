"""The page's TypeScript types are Python's: the compiler reads real data of every kind."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from coursekit.bank import load_bank
from coursekit.page.page_data import block_data, checks_data
from coursekit.verdict import Status, Verdict
from coursekit.web.in_page import answer
from tests.course import BANK
from tools.site.environment import in_environment

from .conftest import asked_of_python

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TYPES = ROOT / "lib" / "coursekit" / "web" / "types.ts"
EXERCISES = {**BANK, **load_bank(HERE / "bank")}


def verdicts() -> list[dict[str, Any]]:
    """Return a verdict of each status, with all of its fields filled and with the defaults."""
    bare = {"exercise": "e", "check": "c", "points": 0.0, "max_points": 1.0}
    full = bare | {"hidden": True, "message": "m", "misconception": "i", "explanation": "x"}
    return [Verdict(status=s, **more).as_json() for s in Status for more in (bare, full)]


def samples() -> list[tuple[str, Any]]:
    """Return each type's name with data of it, as Python makes it."""
    exercise = EXERCISES["practice-point"]
    request = asked_of_python(exercise, exercise.starter)
    reply = json.loads(answer(json.dumps(request)))
    assert reply["verdicts"]
    return [
        *(("Verdict", verdict) for verdict in verdicts()),
        *(("ExerciseData", block_data(each)) for each in EXERCISES.values()),
        ("CheckCode", checks_data(exercise)[1]),
        ("Request", request),
        ("Reply", reply),
        ("Reply", json.loads(answer(json.dumps(request | {"code": "1 +"})))),
    ]


def compile_samples(folder: Path, samples: list[tuple[str, Any]]) -> str:
    """Return what the compiler says of data that is declared to be of these types."""
    names = ", ".join(sorted({name for name, _ in samples} | {"Status"}))
    lines = [f'import type {{ {names} }} from "{os.path.relpath(TYPES, folder)}";']
    statuses = " | ".join(json.dumps(status.value) for status in Status)
    # Both ways: neither side has a status that the other lacks.
    lines.append(f"export const all = (status: Status): {statuses} => status;")
    lines += [
        f"export const sample{number} = {json.dumps(data)} satisfies {name};"
        for number, (name, data) in enumerate(samples)
    ]
    file = folder / "samples.ts"
    file.write_text("\n".join(lines), encoding="utf-8")
    tsc = ROOT / "node_modules" / "typescript" / "bin" / "tsc"
    options = "--noEmit --strict --target es2022 --module nodenext --allowImportingTsExtensions"
    done = subprocess.run(
        [in_environment("node"), tsc, *options.split(), file.name],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout + done.stderr  # where the compiler itself is missing, it says nothing


def test_python_s_data_has_typescript_s_types_and_anything_else_is_refused(tmp_path: Path) -> None:
    verdict = verdicts()[0]
    changed = [verdict | {key: None if key != "misconception" else 1} for key in verdict]
    changed += [verdict | {"status": "open"}, verdict | {"maxPoints": 1.0}]
    changed += [{k: v for k, v in verdict.items() if k != key} for key in verdict]
    right = samples()
    said = compile_samples(tmp_path, [*right, *(("Verdict", data) for data in changed)])
    refused = {int(line) for line in re.findall(r"^samples\.ts\((\d+),", said, re.MULTILINE)}
    first = 3 + len(right)  # below the import and the statuses
    assert refused == set(range(first, first + len(changed)))
