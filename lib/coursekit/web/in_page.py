"""Run a reader's code in the page, inside Pyodide, and the visible checks on what it defines.

The checks are those of the exercise file, and :func:`coursekit.run_check` runs them, so page,
notebook, terminal and batch give the same verdicts. Requests and replies are JSON text, which
crosses between Python and JavaScript as one string. Nothing here needs Pyodide.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import numpy as np

from coursekit._expect import Refusal, refusals
from coursekit.known import Known
from coursekit.live.cells import catching
from coursekit.live.display import LIMIT, Shown
from coursekit.live.example import Call, first_call
from coursekit.live.execute import execute
from coursekit.live.explain import explain, no_input
from coursekit.live.requests import answer_live
from coursekit.live.trace import Tracer, as_data
from coursekit.numpy_only import numpy_only
from coursekit.picture import picture_of
from coursekit.running import run_check
from coursekit.verdict import Verdict

FILE = "your code"


class Earlier(TypedDict):
    """An answer to an earlier exercise, or what stands in for it."""

    title: str
    code: str


class Request(TypedDict):
    """What the page asks: code to run, then the named checks of ``check_source``, if any.

    ``before`` runs first, and what it prints is not shown; ``files`` are there by then.
    ``example`` is the check whose first call is shown, where none is run.
    """

    exercise: str
    before: list[Earlier]
    setup: str
    code: str
    check_source: str
    checks: list[str]
    misconceptions: dict[str, str]
    known: dict[str, Any]
    binds: list[str]
    files: list[str]
    example: NotRequired[str]


class Reply(TypedDict):
    """What the page gets: ``error`` is one line, or None where the code ran.

    ``verdicts`` are those of `coursekit.verdict`, as JSON; ``example`` is a call and its result.
    """

    example: str
    output: str
    value: str
    error: str | None
    verdicts: list[dict[str, Any]]
    values: dict[str, Any]


def answer(request: str) -> str:
    """Answer one request of the page; JSON in, JSON out. Without a ``kind`` it is an exercise."""
    asked = json.loads(request)
    kind = asked.pop("kind", "exercise")
    if kind == "exercise":
        return json.dumps(run(asked))
    return json.dumps(trace(asked) if kind == "trace" else answer_live(kind, asked))


def run(request: Request) -> Reply:
    """Run the code and, when that went well, the checks. Never raises for what the code does."""
    names = _namespace()
    reply = Reply(example="", output="", value="", error=None, verdicts=[], values={})
    printed: list[Shown] = []
    with catching(printed), numpy_only(True):
        try:
            _run_earlier(request["before"], names)
            exec(request["setup"], names)
            value = execute(request["code"], FILE, names)
            reply["value"] = "" if value is None else repr(value)[:LIMIT]
            reply["verdicts"] = list(_check(request, names))
            if example := _example(request, names):
                reply["example"] = example.text()
                if example.error is not None:
                    raise example.error
            reply["values"] = {
                name: plain
                for name in request["binds"]
                if (plain := _plain(names.get(name))) is not None
            }
        except BaseException as error:
            reply["error"] = explain(error, FILE)
    reply["output"] = "".join(part["text"] for part in printed)
    return reply


def trace(request: Request) -> dict[str, Any]:
    """Run the code step by step, and the first call of its example; never raises for it."""
    tracer, names, error = Tracer(FILE), _namespace(), None
    with catching([]):
        try:
            _run_earlier(request["before"], names)
            exec(request["setup"], names)
            execute(request["code"], FILE, names, tracer)
            example = tracer.run(lambda: _example(request, names))
            if example and example.error is not None:
                raise example.error
        except BaseException as caught:
            error = explain(caught, FILE)
    return {"error": error} | as_data(tracer)


def _namespace() -> dict[str, Any]:
    return {"__name__": "__main__", "input": no_input}


def keep_file(path: str, data: Any) -> None:
    """Write the bytes of a package's data file to its place beside the package's modules."""
    spec = importlib.util.find_spec(path.partition("/")[0])
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"no package for {path}")
    file = Path(spec.origin).parent.parent / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)  # a file that would be fetched when it is read
    file.write_bytes(bytes(data))


def _run_earlier(before: list[Earlier], names: dict[str, Any]) -> None:
    with catching([]):
        for earlier in before:
            exec(compile(earlier["code"], f"your answer to {earlier['title']}", "exec"), names)


def _check(request: Request, names: dict[str, Any]) -> Iterator[dict[str, Any]]:
    space = _checks(request)
    for name in request["checks"]:
        with refusals() as refused:
            verdict = run_check(
                space[name],
                names,
                exercise=request["exercise"],
                misconceptions=request["misconceptions"],
                known=partial(Known.from_json, request["known"][name]),
            )
        yield verdict.as_json() | _picture(verdict, refused)


def _picture(verdict: Verdict, refused: list[Refusal]) -> dict[str, Any]:
    """Return the picture of the value that a verdict speaks of, where it has one."""
    # A check ends where it refuses a value.
    picture = picture_of(*refused[-1]) if refused and verdict.is_wrong else None
    return {"picture": picture} if picture else {}


def _example(request: Request, names: dict[str, Any]) -> Call | None:
    """Return the first call of the check that the request names, if it names one."""
    if not (name := request.get("example")):
        return None
    with catching([]):
        return first_call(_checks(request)[name], names)


def _checks(request: Request) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(compile(request["check_source"], "the checks", "exec"), space)
    return space


def _plain(value: Any) -> Any:
    """Return numbers as lists of floats, truth values as they are; None for anything else."""
    try:
        array = np.asarray(value)
        if array.dtype.kind != "b":
            array = np.asarray(value, float)
    except (TypeError, ValueError):
        return None
    return array.tolist() if np.isfinite(array).all() else None
