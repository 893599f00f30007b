"""Read the questions of a quiz, written as a task list in Markdown.

A question begins with ``## name``, the variable that holds its answer. Its statement follows, and
then what may be answered: the right answer is marked ``[x]``, others are mistakes. Behind ``>``
stands what those are told who give an answer; a mistake begins with its id. Both may go on in
indented lines. A ``>`` within code or a formula does not count::

    ## two_rules (2 points)
    Which rule is *ruled out*?
    - [ ] It looks at what followed. > rule-excluded: All rows fit that rule.
    - [x] It looks at earlier occurrences. > Yes: in row 5 that would be place 1.

A tolerance, with or without a unit, asks for a number or for several, ``0.5, 0.25``. ``else`` is
told to those whose answer is none of these. A mistake's text stands where its id is used first::

    ## memory (± 0.5 MiB)
    How much do the heads take?
    - [x] 32 > Two of 16.
    - [ ] 16 > keys-only: Values are kept as well.
    - [ ] else > What is kept for each token?

The page draws what answers mean as ``weights``, ``cells`` or a ``shape``. With names of the parts,
``(± 0.01, weights of key 1 | key 2)``, those of an answer are a row below it: ``| 0.25 | – |``.

A block of lettered lines asks for their order, indented by ``>``; several may be right. A mistake
is a pattern: ``b a`` is b before a, ``d`` is d used at all, ``|b`` and ``>b`` are b at the margin
and indented once, ``!b`` is b missing where fewer lines are missing than there. The first that fits
is named::

    ## loop
    ```lines
    a total += n
    b for n in numbers:
    ```
    - [x] b >a
    - [ ] a b > outside: The sum stands before the loop.

A number in the box asks for prose: the points that this line of the rubric gives. Examples may
follow, from weak to excellent, with what each line gives them, and why::

    ## why
    Why may a single vector fail?
    - [2] Its width is fixed.
    - [1] An example.
    ### weak (0, 1)
    There was a long sentence.
    > An example and no reason.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_lowercase
from typing import Any, NoReturn

from coursekit._free_text import Example, FreeText
from coursekit._parsons import Parsons, depth_of
from coursekit.errors import DefinitionError
from coursekit.picture import RIGHT, Picture
from coursekit.questions import Choice, Numeric, Option, Question

_Lines = list[tuple[int, str]]
_HEAD = re.compile(r"## (\w+)(?: \((.+)\))?")
_ABOUT = re.compile(
    r"(?P<points>[\d.]+) points?|± (?P<tolerance>\S+)(?: (?P<unit>.+))?"
    r"|(?P<form>weights|cells|shape)(?: of (?P<labels>.+))?"
)
_ITEM = re.compile(r"- \[(x| |\d+(?:\.\d+)?)\] (\S.*)")
_ANSWER = re.compile(r"((?:`[^`]*`|\$[^$]*\$|[^`$])*?)(?: >|\n>) (.+)", re.DOTALL)
_MISTAKE = re.compile(r"([a-z0-9]+(?:-[a-z0-9]+)*)(?:: (.+))?")
_EXAMPLE = re.compile(r"### (\S+) \((.+)\)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def questions_in(
    text: str, *, works: Callable[[str], bool] | None = None, line: int = 1
) -> tuple[tuple[Question, ...], dict[str, str]]:
    """Return a quiz's questions, and the texts of the mistakes that answers are compared with.

    ``works`` tells whether lines in some order do what is asked; the self-test uses it. The text
    begins in ``line`` of its file, and a `DefinitionError` names the line that it is about.
    """
    told: dict[str, str] = {}
    before, *asked = _split([*enumerate(text.splitlines(), line)], "## ")
    for number, words in before:
        if words.strip():
            _fail(number, words, "'## name', where a question begins")
    if not asked:
        _fail(line, "", "a question, which begins with '## name'")
    questions: dict[str, Question] = {}
    for lines in asked:
        question = _Asked(lines, told).question(works)
        if question.name in questions:
            _fail(*lines[0], "another name: an earlier question has this one")
        questions[question.name] = question
    return tuple(questions.values()), told


@dataclass(frozen=True)
class _Item:
    """What may be answered, what is told of it, and the row that draws it."""

    line: int
    mark: str
    answer: str
    told: str
    row: str

    @property
    def mistake(self) -> tuple[str, str]:
        """The id of the mistake, and its text if it is given."""
        match = _MISTAKE.fullmatch(self.told)
        if match is None:
            _fail(self.line, self.told or self.answer, "'> mistake-id: text' behind a wrong answer")
        return match[1], match[2] or ""

    @property
    def numbers(self) -> Any:
        """The number that is answered, or a list of them."""
        numbers = [_value(self.line, part) for part in self.answer.split(", ")]
        return numbers if len(numbers) > 1 else numbers[0]

    @property
    def letters(self) -> tuple[str, ...]:
        """The lines that are answered."""
        return tuple(self.answer.split())


class _Asked:
    """One question as it is written."""

    def __init__(self, lines: _Lines, told: dict[str, str]) -> None:
        self.line, self.head = lines[0]
        self.told = told
        match = _HEAD.fullmatch(self.head.rstrip())
        if match is None:
            _fail(self.line, self.head, "'## name' or '## name (± 0.01, 2 points)'")
        name, about = match.groups()
        if not name.isidentifier() or keyword.iskeyword(name) or hasattr(builtins, name):
            _fail(self.line, name, "a variable for the answer that is none of Python's own")
        self.about: dict[str, str] = {}
        for part in about.split(", ") if about else ():
            if not (found := _ABOUT.fullmatch(part)):
                _fail(self.line, part, "'2 points', '± 0.01', '± 0.5 MiB' or 'weights of a | b'")
            self.about |= {key: text for key, text in found.groupdict().items() if text}
        before, *rest = _split(lines[1:], "- [", "### ")
        statement, self.lettered = _lettered(before)
        self.examples = [chunk for chunk in rest if chunk[0][1].startswith("### ")]
        self.items = [_item(chunk) for chunk in rest if chunk not in self.examples]
        self.right = [item for item in self.items if item.mark == "x"]
        self.common: dict[str, Any] = {"name": name, "statement": statement}
        if "points" in self.about:
            self.common["points"] = _value(self.line, self.about["points"])

    def question(self, works: Callable[[str], bool] | None) -> Question:
        """Return the question, of the kind that what is written makes it."""
        if any(item.mark not in ("x", " ") for item in self.items):
            return self._prose()
        if self.examples:
            _fail(*self.examples[0][0], "a rubric above it, '- [2] what earns two points'")
        if len(self.right) != 1 and not (self.lettered and self.right):
            _fail(self.line, self.head, f"one answer with [x]; {len(self.right)} have it")
        if self.lettered:
            return self._parsons(works)
        return self._numeric() if "tolerance" in self.about else self._choice()

    def _choice(self) -> Choice:
        options = {}
        for letter, item in zip(ascii_lowercase, self.items, strict=False):
            id, text = (None, item.told) if item in self.right else item.mistake
            if not text:
                _fail(item.line, item.answer, "'> why' behind each option")
            options[letter] = Option(
                text=item.answer,
                correct=id is None,
                success_message=text if id is None else "",
                failure_message=text if id else "",
                misconception=id,
            )
        return Choice(**self.common, options=options, picture=self._picture())

    def _numeric(self) -> Numeric:
        return Numeric(
            **self.common,
            answer=self.right[0].numbers,
            tolerance=_value(self.line, self.about["tolerance"]),
            mistakes={id: item.numbers for id, item in self._mistakes()},
            unit=self.about.get("unit", ""),
            picture=self._picture(),
            **self._messages(),
        )

    def _parsons(self, works: Callable[[str], bool] | None) -> Parsons:
        for item in self.right:
            keys = [entry[-1] for entry in item.letters]
            if not set(keys) <= set(self.lettered) or len(set(keys)) != len(keys):
                _fail(item.line, item.answer, "letters of the lines above, each once")
            if any(b > a + 1 for a, b in pairwise([-1, *map(depth_of, item.letters)])):
                _fail(item.line, item.answer, "a line at most one level deeper than that before")
        mistakes = {}
        for id, item in self._mistakes():
            mistakes[id] = item.letters
            is_known = all(entry[-1] in self.lettered for entry in item.letters)
            if not is_known or ("!" in item.answer and len(item.letters) > 1):
                _fail(item.line, item.answer, "letters of the lines above, and '!c' alone")
        return Parsons(
            **self.common,
            lines=self.lettered,
            orders=tuple(item.letters for item in self.right),
            mistakes=mistakes,
            works=works,
            **self._messages(),
        )

    def _prose(self) -> FreeText:
        if self.about:
            _fail(self.line, self.head, "'## name' alone: the rubric has the points")
        rubric = [(_value(item.line, item.mark), item.answer) for item in self.items]
        examples = [self._example(chunk, [most for most, _ in rubric]) for chunk in self.examples]
        return FreeText(**self.common, rubric=tuple(rubric), examples=tuple(examples))

    def _example(self, lines: _Lines, most: list[float]) -> Example:
        number, head = lines[0]
        match = _EXAMPLE.fullmatch(head.rstrip())
        points = [_value(number, part) for part in match[2].split(", ")] if match else []
        fits = len(points) == len(most) and all(
            0 <= p <= m for p, m in zip(points, most, strict=True)
        )
        if match is None or not fits:
            full = ", ".join(f"{each:g}" for each in most)
            _fail(number, head, f"'### quality ({full})', or fewer points for lines of the rubric")
        text = "\n".join(line for _, line in lines[1:] if not line.startswith(">")).strip()
        why = " ".join(line[1:].strip() for _, line in lines[1:] if line.startswith(">"))
        if not (text and why):
            _fail(number, head, "an answer below it, and '> why' it earns these points")
        return Example(quality=match[1], text=text, points=tuple(points), why=why)

    def _mistakes(self) -> Iterator[tuple[str, _Item]]:
        """Yield the mistakes by id, and keep their texts."""
        seen = set()
        for item in self.items:
            if item.mark == "x" or item.answer == "else":
                continue
            id, text = item.mistake
            if id in seen:
                _fail(item.line, id, "each mistake once in a question")
            if bool(text) == (id in self.told):
                _fail(item.line, id, f"'{id}: text' where it is used first, '{id}' from there on")
            seen.add(id)
            self.told.setdefault(id, text)
            yield id, item

    def _messages(self) -> dict[str, Any]:
        other = [item for item in self.items if item.answer == "else"]
        told = {"success_message": self.right, "failure_message": other}
        return {name: item.told for name, items in told.items() for item in items[:1] if item.told}

    def _picture(self) -> Picture | None:
        labels = self.about["labels"].split(" | ") if "labels" in self.about else []
        means = {}
        for item in (item for item in self.items if item.row):
            parts = [part.strip() for part in item.row.strip("|").split("|")]
            if len(parts) != len(labels):
                _fail(item.line, item.row, f"a part for each of those named in {self.head!r}")
            id = RIGHT if item.mark == "x" else item.mistake[0]
            means[id] = [None if part == "–" else _value(item.line, part) for part in parts]
        return Picture(self.about["form"], labels, means) if "form" in self.about else None


def _split(lines: _Lines, *marks: str) -> list[_Lines]:
    """Cut before each line that begins with a mark, fenced code apart."""
    chunks: list[_Lines] = [[]]
    is_code = False
    for number, line in lines:
        if line.lstrip().startswith("```"):
            is_code = not is_code
        if line.startswith(marks) and not is_code:
            chunks.append([])
        chunks[-1].append((number, line))
    return chunks


def _lettered(lines: _Lines) -> tuple[str, dict[str, str]]:
    """Return the words before the answers, and the lettered lines among them."""
    words, lettered = [], {}
    is_within = False
    for number, line in lines:
        if line == ("```" if is_within else "```lines"):
            is_within = not is_within
        elif not is_within:
            words.append(line)
        elif match := re.fullmatch(r"([a-z]) (\S.*)", line):
            lettered[match[1]] = match[2]
        else:
            _fail(number, line, "a line behind its letter, 'a total = 0', or the end, '```'")
    return "\n".join(words).strip(), lettered


def _item(lines: _Lines) -> _Item:
    number, first = lines[0]
    match = _ITEM.fullmatch(first.rstrip())
    if match is None:
        _fail(number, first, "'- [x] answer > sentence' or '- [ ] answer > mistake-id: text'")
    words, row = match[2], ""
    for at, line in lines[1:]:
        if line.strip() and not line.startswith("  "):
            _fail(at, line, "two spaces before what belongs to an answer")
        if line.startswith("  | "):
            row = line.strip()
        elif line.strip():
            words += f"\n{line.strip()}"
    found = _ANSWER.fullmatch(words)
    answer, told = found.groups() if found else (words, "")
    answer, told = (re.sub(r"\n(?:> )?", " ", each) for each in (answer, told))
    return _Item(number, match[1], answer, told, row)


def _value(line: int, text: str) -> Any:
    if not _NUMBER.fullmatch(text):
        _fail(line, text, "a number such as 24576 or -0.5, or several, '0.5, 0.25'")
    return ast.literal_eval(text)


def _fail(line: int, seen: str, expected: str) -> NoReturn:
    raise DefinitionError(f"line {line}: {seen!r}; expected {expected}")
