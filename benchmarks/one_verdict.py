"""Put answers through page, notebook, terminal and class, and count the verdicts that differ.

The answers are those of the exercise files, and made ones: helpers that have the name of one of the
check's, PyTorch where NumPy is asked for, an import left out, a renamed function, code that does
not run, code that does not end. The notebook is a real kernel, in which every answer follows the
others in the same cell; the class is the sandbox, in which the answers of the exercise files stand
in cells that nothing marks as theirs, and the made ones in marked cells. Of the page it is the
Python that runs here, with the page's request.

    python -m benchmarks.one_verdict [CHAPTER ...]
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from jupyter_client.manager import start_new_kernel

from coursekit.bank.load import load_bank
from coursekit.bank.mistakes import wrong_answers
from coursekit.bank.model import Exercise
from coursekit.bank.source import check_source, top_level_names
from coursekit.grade.grader import Grader
from coursekit.grade.grader_process import open_sandbox
from coursekit.grade.limits import Limits
from coursekit.grade.task import Task
from coursekit.in_page.answers import run
from coursekit.judge import stopped
from coursekit.notebooks import student_cells
from coursekit.notebooks.check_cells import attachment
from coursekit.page.page_data import page_data
from coursekit.sandbox.sandbox import strongest_level
from coursekit.selftest.answers import check_answer

#: How long an answer may run here (seconds): ends what does not end, and nothing else.
PATIENT, ENDLESS = 30.0, 0.2
#: Kinds of answers that a class hands in as cells of its own.
UNMARKED = ("solution", "also right", "wrong")


class Answer(NamedTuple):
    """An answer's kind and code; ``before`` is what its cell had before, in a notebook."""

    kind: str
    code: str
    before: str = ""

    @property
    def limit(self) -> float:
        """How long it may run, in seconds: what ends ends on a loaded machine as well."""
        return ENDLESS if self.kind == "endless" else PATIENT


class Told(NamedTuple):
    """What a learner gets of one check."""

    check: str
    status: str
    points: float
    misconception: str | None


# --- answers --------------------------------------------------------------------------------------


def answers(exercise: Exercise) -> Iterator[Answer]:
    """Yield the answers of the exercise file, and made ones."""
    yield Answer("solution", exercise.solution)
    if exercise.questions:
        yield from _of_questions(exercise)
        return
    yield from (Answer("also right", code) for code in exercise.also_right.values())
    yield from (Answer("wrong", wrong.code) for wrong in wrong_answers(exercise).values())
    yield Answer("raises at its end", f"{exercise.solution}\n1 / 0\n")
    yield Answer("raises at its start", f"no_such_name\n{exercise.solution}")
    yield Answer("does not parse", f"{exercise.solution}\ndef broken(:\n", exercise.solution)
    name = exercise.names[0]
    renamed = re.sub(rf"\b{name}\b", f"{name}_", exercise.solution)
    yield Answer("renamed", renamed, exercise.solution)
    if re.search(rf"^def {name}\b", exercise.solution, re.M):
        yield from _of_function(exercise, name)


def _of_questions(exercise: Exercise) -> Iterator[Answer]:
    for question in exercise.auto_graded:
        for wrong, _ in question.known_mistakes:
            yield Answer("wrong", exercise.answer_cell({question.name: wrong}))


def _of_function(exercise: Exercise, name: str) -> Iterator[Answer]:
    inner = f"{exercise.solution}\n\n_mine_ = {name}\n\n\n"
    wrapped = f"def {name}(*args, **options):\n    return {{}}\n"
    call = "_mine_(*args, **options)"
    visible = [check.name for check in exercise.checks]
    source = check_source(exercise, *visible)
    taken = top_level_names(f"{exercise.groundwork}\n{exercise.setup}\n{exercise.solution}")
    for helper in sorted(top_level_names(source) - taken - {name, *visible}):
        own = f"def {helper}(*args, **options):\n    return {{}}\n\n\n"
        answer = wrapped.format(f"{helper}(*args, **options)")
        yield Answer("helper, right", inner + own.format(call) + answer)
        yield Answer("helper, wrong", inner + own.format("None") + answer)
    for imported in sorted(_imported(source) - taken - {name}):
        yield Answer("no import", wrapped.format(f"{imported}(*args, **options)"))
    torch = "import torch\n" + inner
    yield Answer("torch imported", f"import torch\n{exercise.solution}")
    yield Answer("torch", torch + wrapped.format(f"torch.as_tensor({call})"))
    if "torch" in exercise.notebook_only:
        grad = (
            f"(lambda out: out.clone().requires_grad_() if hasattr(out, 'clone') else out)({call})"
        )
        yield Answer("requires grad", torch + wrapped.format(grad))
    else:
        grad = f"torch.as_tensor({call}, dtype=torch.float64).requires_grad_()"
        yield Answer("requires grad", torch + wrapped.format(grad))
    yield Answer("endless", f"def {name}(*args, **options):\n    while True:\n        pass\n")


def _imported(source: str) -> set[str]:
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name for node in nodes for alias in node.names}


# --- ways -----------------------------------------------------------------------------------------


def _told(verdicts: Iterable[Any]) -> list[Told]:
    rows = [verdict if isinstance(verdict, dict) else verdict.as_json() for verdict in verdicts]
    return [Told(r["check"], r["status"], r["points"], r["misconception"]) for r in rows]


def limits(call: float) -> Limits:
    """Return a class's limits with so many seconds for each call of an answer."""
    return Limits(call_seconds=call, cell_seconds=PATIENT, total_seconds=3 * PATIENT)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Let the page's Python stop an answer after so many seconds."""
    before, stopped.SECONDS = stopped.SECONDS, seconds
    try:
        yield
    finally:
        stopped.SECONDS = before


def in_terminal(exercise: Exercise, answer: Answer) -> list[Told]:
    """Return what ``coursekit check`` finds, hidden checks included."""
    return _told(check_answer(exercise, answer.code, answer.limit).verdicts)


def in_page(exercise: Exercise, answer: Answer) -> list[Told]:
    """Return what the page's Python replies to the page's request."""
    data = page_data(exercise)
    request: Any = {
        "exercise": exercise.id,
        "before": [{"title": "earlier steps", "code": exercise.groundwork}],
        "code": answer.code,
        "checks": [check["name"] for check in data["checks"]],
        "binds": [],
        "files": [],
        **{key: data[key] for key in ("setup", "check_source", "misconceptions", "known")},
    }
    with limited(answer.limit):
        return _told(run(request)["verdicts"])


class Notebook:
    """A kernel, and its cells as JupyterLab sends them."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.run("import coursekit")

    def run(self, source: str, id: str = "other", value: str = "") -> str:
        """Run a cell; return the ``repr`` of an expression."""
        session, channel = self._client.session, self._client.shell_channel
        content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False}
        content |= {"stop_on_error": False, "user_expressions": {"value": value} if value else {}}
        message = session.msg("execute_request", content, metadata={"cellId": id})
        channel.send(message)
        while True:
            reply = self._client.get_shell_msg(timeout=300)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                break
        if not value:
            return ""
        shown = reply["content"]["user_expressions"]["value"]
        assert shown["status"] == "ok", shown
        return str(ast.literal_eval(shown["data"]["text/plain"]))

    def check(self, exercise: Exercise, answer: Answer) -> list[Told]:
        """Run an answer's cell and its check; return the verdicts that are kept."""
        for used in exercise.used:
            self.run(f"{used.setup}\n{used.solution}", f"{used.id}-answer")
        self.run(f"coursekit.judge.stopped.SECONDS = {answer.limit}")
        *_, check = [c for c in student_cells(exercise) if c.metadata.coursekit.role == "check"]
        for code in filter(None, (answer.before, answer.code)):
            self.run(code, f"{exercise.id}-answer")
        kept = f"[*coursekit.in_notebook.state.standings['{exercise.id}'].verdicts]"
        return _told(
            json.loads(self.run(check.source, "check", f"__import__('json').dumps({kept})"))
        )


@contextmanager
def kernel() -> Iterator[Notebook]:
    """Start a kernel in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        manager, client = start_new_kernel(cwd=folder)
        try:
            yield Notebook(client)
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)


def in_class(grader: Grader, exercise: Exercise, answer: Answer) -> list[Told]:
    """Return what a class's row has."""
    cells = [(used.id, f"{used.setup}\n{used.solution}") for used in exercise.used]
    cells.append(("" if answer.kind in UNMARKED else exercise.id, answer.code))
    notebook = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
        "cells": [
            {
                "cell_type": "code",
                "source": code,
                "metadata": {"coursekit": {"exercise": id, "role": "answer"}} if id else {},
            }
            for id, code in cells
        ],
    }
    row = grader.grade(json.dumps(notebook).encode())
    return _told(verdict for verdict in row.checks if verdict.exercise == exercise.id)


# --- the run --------------------------------------------------------------------------------------


@contextmanager
def ways() -> Iterator[tuple[Notebook, Any]]:
    """Yield a notebook and a class's sandbox, which all exercises share."""
    task = Task(
        chapter="all",
        files={},
        secret="",
        preload=("numpy", "torch"),
        hidden=(),
        withheld=(),
        limits=limits(PATIENT),
        level=strongest_level(),
    )
    sandbox = open_sandbox(task)
    try:
        with kernel() as notebook:
            yield notebook, sandbox
    finally:
        sandbox.close()


def differences(
    exercise: Exercise,
    notebook: Notebook,
    sandbox: Any,
    counts: Counter[str],
    each: int = 1,
) -> Iterator[str]:
    """Yield a line for each answer that is not told the same everywhere; count all of them.

    With ``each`` of 3, only every third of the file's wrong answers is put through.
    """
    everything = [*exercise.used, exercise]
    graders = {s: Grader(everything, sandbox, limits(s)) for s in (PATIENT, ENDLESS)}
    notebook.run(attachment(everything, practice=True, chapter=[]), "attachment")
    hidden = {check.name for check in exercise.checks if check.hidden}
    for at, answer in enumerate(answers(exercise)):
        if answer.kind == "wrong" and at % each:
            continue
        told = {"terminal": in_terminal(exercise, answer)}
        told["class"] = in_class(graders[answer.limit], exercise, answer)
        visible = [one for one in told["terminal"] if one.check not in hidden]
        if visible:
            told["notebook"] = notebook.check(exercise, answer)
        if visible and exercise.kind == "code" and not exercise.notebook_only:
            told["page"] = in_page(exercise, answer)
        for way, found in told.items():
            counts[way] += 1
            wanted = told["terminal"] if way in ("terminal", "class") else visible
            if found != wanted:
                counts["differences"] += 1
                yield f"{exercise.id}: {answer.kind}\n{way}: {found}\n{wanted}\n{answer.code}"
        counts[answer.kind] += 1


def main(chapters: Sequence[str]) -> int:
    """Print the differences and the counts; return how many differ."""
    bank, counts = load_bank(), Counter[str]()
    exercises = [
        e
        for e in bank.values()
        if e.checks and (e.chapter in chapters or e.id in chapters or not chapters)
    ]
    start = time.monotonic()
    with ways() as (notebook, sandbox):
        for exercise in exercises:
            for difference in differences(exercise, notebook, sandbox, counts):
                print(difference, flush=True)
    print(f"{len(exercises)} exercises, {time.monotonic() - start:.0f} s")
    print("\n".join(f"{count:6d}  {what}" for what, count in counts.items()))
    return counts["differences"]


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
