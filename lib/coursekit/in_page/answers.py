"""Run a reader's code in the page, inside Pyodide, and the visible checks on what it defines.

The checks are those of the exercise file, and :func:`coursekit.run_check` runs them, so page,
notebook, terminal and batch give the same verdicts. Requests and replies are JSON text, which
crosses between Python and JavaScript as one string. Nothing here needs Pyodide.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import numpy as np

from coursekit.bank.alone import checks_of, judge, run_alone
from coursekit.in_page.example import Call, first_call
from coursekit.in_page.explain import explain
from coursekit.in_page.requests import answer_live
from coursekit.in_page.trace import Tracer, as_data, departure, result_departs
from coursekit.judge.stopped import FILE, limited
from coursekit.judge.verdict import headline

OUTPUT_LIMIT = 20_000  # characters


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
    known: dict[str, list[Any]]
    binds: list[str]
    files: list[str]
    example: NotRequired[str]


class TraceRequest(Request):
    """What the page asks to step through code.

    ``solution`` is there after an attempt at practice work; ``expected`` has the shape and range of
    a right result for graded work, or is None.
    """

    solution: str
    expected: dict[str, Any] | None


class Reply(TypedDict):
    """What the page gets: ``error`` is one line, or None where the code ran.

    ``verdicts`` are those of `coursekit.judge.verdict`, as JSON, and ``headline`` says how many
    pass; ``example`` is a call and its result.
    """

    example: str
    output: str
    value: str
    error: str | None
    headline: str
    verdicts: list[dict[str, Any]]
    values: dict[str, Any]


class _Capped(io.TextIOBase):
    """Output that keeps its beginning, and says once that the rest was cut."""

    def __init__(self) -> None:
        self.text = ""
        self.cut = False

    def write(self, text: str) -> int:
        room = OUTPUT_LIMIT - len(self.text)
        self.text += text[:room]
        self.cut = self.cut or len(text) > room
        return len(text)

    def getvalue(self) -> str:
        end = f"\n… cut after {OUTPUT_LIMIT} characters." if self.cut else ""
        return self.text + end


def answer(request: str) -> str:
    """Answer one request of the page; JSON in, JSON out. Without a ``kind`` it is an exercise."""
    asked = json.loads(request)
    kind = asked.pop("kind", "exercise")
    if kind == "exercise":
        return json.dumps(run(asked))
    return json.dumps(trace(asked) if kind == "trace" else answer_live(kind, asked))


def run(request: Request) -> Reply:
    """Run the code and, when that went well, the checks. Never raises for what the code does."""
    reply = Reply(example="", output="", value="", error=None, headline="", verdicts=[], values={})
    output = _Capped()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            with limited():
                _run_and_check(request, reply)
        except BaseException as error:
            reply["error"] = explain(error, FILE)
    reply["output"] = output.getvalue()
    return reply


def _run_and_check(request: Request, reply: Reply) -> None:
    ran = run_alone(_before(request), request["code"], without_torch=True)
    if ran.value is not None:
        reply["value"] = repr(ran.value)[:OUTPUT_LIMIT]
    if request["checks"]:
        verdicts = judge({**request, "without_torch": True}, ran)
        reply["verdicts"] = [verdict.as_json() for verdict in verdicts]
        asked = {name for check in checks_of(request) for name in check.names}
        if ran.error is None or asked <= {*ran.names}:
            reply["headline"] = headline(verdicts)
    if ran.error is not None:
        raise ran.error
    if example := _example(request, ran.names):
        reply["example"] = example.text()
        if example.error is not None:
            raise example.error
    found = {name: _plain(ran.names.get(name)) for name in request["binds"]}
    reply["values"] = {name: plain for name, plain in found.items() if plain is not None}


def _before(request: Request) -> list[str]:
    return [*(earlier["code"] for earlier in request["before"]), request["setup"]]


def trace(request: TraceRequest) -> dict[str, Any]:
    """Run the code step by step, and the first call of its example; never raises for it."""
    tracer = Tracer(FILE)
    found: dict[str, Any] = {"error": None, "departs": None}
    with contextlib.redirect_stdout(_Capped()), contextlib.redirect_stderr(_Capped()):
        try:
            _trace(request, request["code"], tracer)
            found["departs"] = _departure(request, tracer)
        except BaseException as error:
            found["error"] = explain(error, FILE)
    return found | as_data(tracer)


def _trace(request: Request, code: str, tracer: Tracer) -> None:
    """Run an answer and its example, each line of which is a step."""
    ran = run_alone(_before(request), without_torch=True)
    if ran.error is not None:
        raise ran.error

    def work() -> None:
        ran.shell.run_cell(code, FILE, tracer.module(ran.names, code))
        example = _example(request, ran.names)
        if example and example.error is not None:
            raise example.error

    tracer.run(work)


def _departure(request: TraceRequest, tracer: Tracer) -> dict[str, Any] | None:
    """Return the step that departs from the solution, where the page has it, or from its result."""
    departs = None
    if request["solution"]:
        right = Tracer(FILE)
        _trace(request, request["solution"], right)
        departs = departure(tracer.steps, right.steps)
    elif request["expected"]:
        departs = result_departs(tracer.steps, request["expected"])
    return {"step": departs[0], "what": departs[1]} if departs else None


def keep_file(path: str, data: Any) -> None:
    """Write the bytes of a package's data file to its place beside the package's modules."""
    spec = importlib.util.find_spec(path.partition("/")[0])
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"no package for {path}")
    file = Path(spec.origin).parent.parent / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)  # a file that would be fetched when it is read
    file.write_bytes(bytes(data))


def _example(request: Request, names: dict[str, Any]) -> Call | None:
    """Return the first call of the check that the request names, if it names one."""
    if not (name := request.get("example")):
        return None
    (check,) = checks_of({**request, "checks": [name]})
    with contextlib.redirect_stdout(_Capped()):
        return first_call(check, names)


def _plain(value: Any) -> Any:
    """Return numbers as lists of floats, truth values as they are; None for anything else."""
    try:
        array = np.asarray(value)
        if array.dtype.kind != "b":
            array = np.asarray(value, float)
    except (TypeError, ValueError):
        return None
    return array.tolist() if np.isfinite(array).all() else None
