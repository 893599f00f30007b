"""The directive that puts an exercise of the bank into a chapter.

``{exercise} ID`` becomes the block's readable part: statement, starter, questions with their
options, hints. It works without scripts; ``coursekit/web`` brings it to life from the data beside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ConfigError
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from coursekit.bank import Bank, load_bank
from coursekit.command import counted
from coursekit.errors import DefinitionError, UnknownError
from coursekit.model import Choice, Exercise, FreeText, Parsons, Question
from coursekit.notebook.statements import WITHHELD
from coursekit.page.figure import explorable
from coursekit.page.later import keep_checks
from coursekit.page.nodes import BlockTitle, Part, notebook_of, part, refused
from coursekit.page.nodes import register as register_nodes
from coursekit.page.page_data import checks_data, page_data, page_script
from coursekit.predictions import AWAITED_IS_MISSING, awaited

logger = logging.getLogger(__name__)

NO_SCRIPT = (
    "This page checks answers with JavaScript, which is off. If the chapter has a notebook, that "
    "has the same exercise with the same checks."
)

_BANKS: WeakKeyDictionary[Sphinx, Bank] = WeakKeyDictionary()


def bank_of(app: Sphinx) -> Bank:
    """Return the project's exercises, read once a build."""
    if app not in _BANKS:
        folders = [Path(app.srcdir, folder) for folder in app.config.coursekit_exercises]
        try:
            _BANKS[app] = load_bank(*folders)
        except DefinitionError as error:
            raise ConfigError(f"coursekit_exercises: {error}") from None
    return _BANKS[app]


class ExerciseDirective(SphinxDirective):
    """``{exercise} ID``: the block of one exercise or quiz."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the block, or nothing after one clear error."""
        try:
            exercise = bank_of(self.env.app)[self.arguments[0]]
        except UnknownError as error:
            return self._refuse(str(error))
        anchor = f"exercise-{exercise.id}"
        if anchor in self.state.document.ids:
            return self._refuse(f"exercise {exercise.id!r} stands on this page twice")
        self.env.note_dependency(exercise.path)
        block = self._block(exercise, anchor)
        self.state.document.ids[anchor] = block
        self._note_label(anchor, exercise.title)
        return [block]

    def _refuse(self, message: str) -> list[nodes.Node]:
        return refused(self, message, subtype="exercise")

    def _note_label(self, anchor: str, title: str) -> None:
        """Let ``{ref}`` and ``[](#…)`` find the block from anywhere; the first page wins."""
        standard = self.env.domains["std"]
        place = (self.env.docname, anchor)
        standard.data["anonlabels"].setdefault(anchor, place)
        standard.data["labels"].setdefault(anchor, (*place, title))

    def _block(self, exercise: Exercise, anchor: str) -> Part:
        extra = ["ck-notebook-only"] if exercise.notebook_only else []
        title = BlockTitle("", exercise.title, ids=[f"{anchor}-title"])
        block = part(
            "section",
            nodes.paragraph("", kicker(exercise), classes=["ck-kicker"]),
            title,
            ids=[anchor],
            classes=["ck-exercise", f"ck-{exercise.kind}", *extra],
            attributes={
                "data-exercise": exercise.id,
                "data-version": str(exercise.version),
                "aria-labelledby": f"{anchor}-title",
            },
        )
        self.set_source_info(block)
        if exercise.statement:
            block += part("div", *self._parse(exercise.statement), classes=["ck-statement"])
        if exercise.explorable:
            block += self._explorable(exercise)
        if exercise.questions:
            block += [self._question(question, anchor) for question in exercise.questions]
        else:
            block += self._code(exercise)
        block += list(self._below(exercise))
        return block

    def _code(self, exercise: Exercise) -> list[nodes.Node]:
        """Return what stands around the starter, and the starter."""
        made: list[nodes.Node] = []
        if exercise.notebook_only:
            made.append(self._notebook_line(exercise))
        if exercise.setup:
            made.append(named("Already run: ", exercise.setup.splitlines()))
        if exercise.used:
            earlier = [name for each in exercise.used for name in each.names]
            made.append(named("From earlier steps: ", earlier, "ck-uses"))
        if exercise.withheld:
            line = named(WITHHELD, exercise.withheld)
            made.append(folded("ck-withheld", "Functions that graded work may not call", [line]))
        if files := page_data(exercise)["files"]:
            made.append(files_line(files))
        starter = nodes.literal_block("", exercise.starter.rstrip(), language="python")
        return [*made, part("div", starter, classes=["ck-starter"])]

    def _notebook_line(self, exercise: Exercise) -> nodes.paragraph:
        """Return the line that says why there is no editor here, and where there is one."""
        needed = " and ".join(exercise.notebook_only)
        before = f"This exercise needs {needed}, which browsers cannot run. Do it in "
        line = nodes.paragraph("", before, classes=["ck-note"])
        name, after = "this chapter's notebook", ", which checks your answer."
        if address := notebook_of(self.env):
            line += nodes.reference("", name, internal=False, refuri=address)
            line += nodes.Text(f"{after} The menu at the top of the page has the library, too.")
        else:
            line += nodes.Text(f"{name}{after}")
        return line

    def _below(self, exercise: Exercise) -> Iterator[Part]:
        if not exercise.notebook_only:
            sentence = nodes.paragraph("", NO_SCRIPT)
            yield part("noscript", part("div", sentence, classes=["ck-note"]))
        count = len(exercise.hints)
        for number, hint in enumerate(exercise.hints, 1):
            label = f"Hint {number} of {count}" if count > 1 else "Hint"
            yield folded("ck-hint", label, self._parse(hint))
        if exercise.practice and not exercise.questions and not exercise.notebook_only:
            code = nodes.literal_block("", exercise.solution.rstrip(), language="python")
            yield folded("ck-solution", "Solution", [code])
        if not exercise.questions and not exercise.notebook_only:
            keep_checks(self.env, *checks_data(exercise))
        script = nodes.raw("", page_script(exercise), format="html")
        yield part("div", script, classes=["ck-hidden"])

    def _parse(self, text: str) -> list[nodes.Node]:
        parsed: list[nodes.Node] = self.parse_text_to_nodes(text)
        return parsed

    def _explorable(self, exercise: Exercise) -> Part:
        """Return the figure of a widget exercise, as its class shows itself in HTML."""
        try:
            answers = {"answers": [*exercise.binds.values()]} if exercise.binds else {}
            return explorable(self.env, str(exercise.explorable), **answers)
        except ValueError as error:
            self._refuse(f"exercise {exercise.id!r} shows {error}")
            return part("div")

    def _question(self, question: Question, anchor: str = "") -> Part:
        """Return a question; its statement has an id below the anchor where something names it."""
        statement = self._parse(question.statement)
        ids = [f"{anchor}-{question.name}-statement"] if anchor else []
        made = part(
            "div",
            part("div", *statement, ids=ids, classes=["ck-question-statement"]),
            classes=["ck-question", f"ck-{question.kind}"],
            attributes={"data-question": question.name},
        )
        if isinstance(question, Choice):
            options = [self._parse(option.text) for option in question.options.values()]
            made += lettered("ck-options", options)
        elif isinstance(question, Parsons):
            lines = [nodes.literal("", line) for line in question.lines.values()]
            made += lettered("ck-given", [[nodes.paragraph("", "", line)] for line in lines])
        elif isinstance(question, FreeText):
            made += self._rubric(question)
        return made

    def _rubric(self, question: FreeText) -> Part:
        lines = [
            nodes.list_item("", *self._parse(f"{text} ({counted(points, 'point')})"))
            for points, text in question.rubric
        ]
        examples = [
            folded(
                "ck-example",
                title,
                [
                    nodes.block_quote("", *self._parse(example.text)),
                    *self._parse(f"{points} {example.why}"),
                ],
            )
            for title, points, example in question.headed()
        ]
        content = [nodes.bullet_list("", *lines), *examples]
        return folded("ck-rubric", "What a good answer says", content)


def lettered(name: str, items: Sequence[Sequence[nodes.Node]]) -> nodes.enumerated_list:
    """Return a list of what goes by a, b, c."""
    entries = [nodes.list_item("", *item) for item in items]
    return nodes.enumerated_list(
        "", *entries, enumtype="loweralpha", prefix="", suffix=".", classes=[name]
    )


def kicker(exercise: Exercise) -> str:
    """Return the line above the title: what this is, and what it is worth."""
    if exercise.kind == "quiz":
        what = "Questions" if len(exercise.questions) > 1 else "Question"
    else:
        what = "Exercise"
    return f"{what} · {'practice' if exercise.practice else counted(exercise.points, 'point')}"


def named(what: str, names: Sequence[str], *classes: str) -> nodes.paragraph:
    """Return a line above the starter: what it names, and the names as code."""
    line = nodes.paragraph("", what, classes=["ck-setup", *classes])
    for number, name in enumerate(names):
        line += [nodes.Text(", ")] if number else []
        line += nodes.literal("", name)
    return line


def files_line(files: Sequence[Mapping[str, Any]]) -> nodes.paragraph:
    """Return the line that says what the page fetches when the code first runs, and its size."""
    named = (f"{file['path'].rpartition('/')[2]} ({file['bytes'] / 1e6:.1f} MB)" for file in files)
    text = f"Fetched when the code first runs: {', '.join(named)}."
    return nodes.paragraph("", text, classes=["ck-setup", "ck-files"])


def folded(name: str, label: str, children: list[nodes.Node]) -> Part:
    """Return a ``<details>`` that browsers open without a script."""
    summary = part("summary", nodes.Text(label))
    return part("details", summary, *children, classes=[name])


def check_awaited(app: Sphinx, document: nodes.document) -> None:
    """Refuse what waits for a prediction that the page does not have, or that stands inside it."""
    for node in document.findall(nodes.container):
        for id in awaited(node["classes"]):
            anchor = f"exercise-{id}"
            if anchor not in document.ids:
                message = AWAITED_IS_MISSING.format(id)
            elif any(anchor in inner["ids"] for inner in node.findall(Part)):
                message = f"'after-{id}' waits for {id!r}, a question inside it"
            else:
                continue
            logger.error(message, location=node, type="coursekit", subtype="exercise")


def register(app: Sphinx) -> None:
    """Register the directive and its settings with Sphinx."""
    app.connect("doctree-read", check_awaited)
    app.add_config_value("coursekit_exercises", ["../exercises"], "env", [list])
    app.add_config_value("coursekit_explorables", "", "env", [str])
    # The folder of the chapters' notebooks in the built site, "notebooks/"; empty: there is none.
    app.add_config_value("coursekit_notebooks", "", "env", [str])
    register_nodes(app)
    app.add_directive("exercise", ExerciseDirective)
