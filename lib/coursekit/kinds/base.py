"""Define what a kind of question provides to declare, show, grade and test questions.

A kind has a folder beside this file: a class made from one of those below, the function by which an
exercise file declares such a question, and for the page its TypeScript (``<kind>.ts``, see
``browser/kind.ts``) and its style sheet, if it has one. No other code asks of which kind a question
is.
"""

from __future__ import annotations

import builtins
import keyword
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

from coursekit.errors import DefinitionError
from coursekit.judge.checks import RIGHT, WRONG, Check, check_of_question

#: An answer that would earn a smaller share of the points earns none.
LEAST_CREDIT = 0.5


@dataclass(frozen=True)
class Listed:
    """A list below a question's statement, such as its options.

    Attributes
    ----------
    name : str
        The class of the list in a page.
    items : mapping of str to str
        Letter or number to MyST, or to code.
    is_code : bool
        Whether each item is a line of code.
    before : str
        A sentence above the list, where one is needed. MyST.
    on_paper : str
        ``"ck-tick"`` or ``"ck-write"`` where a reader on paper ticks an item or writes beside it.
    """

    name: str
    items: Mapping[str, str]
    is_code: bool = False
    on_paper: str = ""
    before: str = ""

    @property
    def texts(self) -> list[str]:
        """The items as MyST."""
        return [f"`{item}`" if self.is_code else item for item in self.items.values()]

    def written(self, line: str) -> str:
        """Return the list as MyST with a ``line`` for each item, such as ``"- {0}) {1}"``."""
        items = (line.format(*pair) for pair in zip(self.items, self.texts, strict=True))
        return "\n".join(([self.before, ""] if self.before else []) + [*items])


@dataclass(frozen=True)
class Fold:
    """What a page folds below a question: the class of the fold, its label, MyST, inner folds."""

    name: str
    label: str
    text: str
    inner: tuple[Fold, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Question(ABC):
    """A question of a quiz; ``name`` is the answer's variable, and ``statement`` is MyST.

    Attributes
    ----------
    kind : str
        What pages and packed cells call the kind: the name of its folder, and the class of its
        questions.
    declared_with : tuple of str
        The function of an exercise file that declares it, and those that make its arguments.
    minutes, task : float, str
        How long an answer takes, without reading the question, and the words for what then is
        asked; no words where it takes no longer than most questions.
    room : int
        Lines to write on, on paper.
    """

    kind: ClassVar[str]
    declared_with: ClassVar[tuple[str, ...]]
    minutes: ClassVar[float] = 1.5
    task: ClassVar[str] = ""
    room: ClassVar[int] = 0

    name: str
    statement: str

    if TYPE_CHECKING:

        @property
        @abstractmethod
        def points(self) -> float:
            """What it is worth."""

    @property
    def lists(self) -> tuple[Listed, ...]:
        """What stands below the statement."""
        return ()

    @property
    def folds(self) -> tuple[Fold, ...]:
        """What is to be read after an answer; pages fold it."""
        return ()

    @abstractmethod
    def defects(self) -> Iterator[str]:
        """Yield what ``coursekit check`` finds wrong in the question itself."""

    def as_json(self) -> dict[str, Any]:
        """Return what a page needs to grade the question."""
        return {"kind": self.kind, "name": self.name, "points": self.points}


@dataclass(frozen=True, kw_only=True)
class AutoGraded(Question):
    """A question that is graded without a person.

    Attributes
    ----------
    is_card : bool
        Whether it is asked again days later, away from its page.
    explains_itself : bool
        Whether its own messages explain its misconceptions, so that the quiz need not.
    not_graded : frozenset of str
        Its fields that have no part in grading.
    """

    is_card: ClassVar[bool] = True
    explains_itself: ClassVar[bool] = False
    not_graded: ClassVar[frozenset[str]] = frozenset()

    points: float = 1.0

    if TYPE_CHECKING:

        @property
        @abstractmethod
        def answer(self) -> Any:
            """The correct answer, as a learner's variable holds it."""

    @property
    @abstractmethod
    def answer_form(self) -> str:
        """What an answer looks like, for the comment beside it."""

    @property
    @abstractmethod
    def answer_text(self) -> str:
        """The correct answer as MyST, for a card."""

    @property
    @abstractmethod
    def why(self) -> str:
        """Why the answer is correct, as plain text."""

    @property
    @abstractmethod
    def known_mistakes(self) -> list[tuple[Any, str]]:
        """Wrong answers, each with the misconception that it shows."""

    @property
    def ids(self) -> set[str]:
        """The misconceptions that may be reported of an answer."""
        return {id for _, id in self.known_mistakes}

    @property
    @abstractmethod
    def messages(self) -> dict[str, str]:
        """All that may be said of an answer, by the name of the argument that says it."""

    @abstractmethod
    def grade(self, answer: Any) -> None:
        """Raise `CheckFailed`, with partial credit if any, unless the answer is correct."""

    @property
    @abstractmethod
    def form(self) -> dict[str, Any]:
        """The form of an answer, which does not tell the right one, for `echo`. JSON."""

    @classmethod
    @abstractmethod
    def echo(cls, value: Any, form: Mapping[str, Any]) -> str:
        """Return an answer of this form as it was understood, or raise `CheckFailed`."""

    @property
    def how_to_write(self) -> str:
        """How to write an answer in a notebook, where its form needs a sentence. MyST."""
        return ""

    def check(self) -> Check:
        """Return the check that grades the question."""
        return check_of_question(self.name, self.grade, self.points, self.why)

    def declared(self) -> dict[str, Any]:
        """Return the arguments by which a cell declares what grades answers; no statement."""
        left_out = {"statement", *self.not_graded}
        own = [field for field in fields(self) if field.name not in left_out]
        own.sort(key=lambda field: _default(field) is not MISSING)  # what is required comes first
        values = {field.name: (plain(getattr(self, field.name)), _default(field)) for field in own}
        return {name: value for name, (value, usual) in values.items() if value != usual}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the question that `declared` was asked of, after JSON, without its text."""
        return cls(statement="", **data)


@dataclass(frozen=True, kw_only=True)
class WithMistakes(AutoGraded):
    """A question whose mistakes are declared: a misconception's id to what shows it.

    ``failure_message`` is for a wrong answer that has no message of its own.
    """

    mistakes: Mapping[str, Any] = field(default_factory=dict)
    success_message: str = RIGHT
    failure_message: str = WRONG

    @property
    def why(self) -> str:
        """Why the answer is correct, as plain text."""
        return self.success_message

    @property
    def ids(self) -> set[str]:
        """The misconceptions that may be reported of an answer."""
        return set(self.mistakes)

    @property
    def messages(self) -> dict[str, str]:
        """All that may be said of an answer, by the name of the argument that says it."""
        return {"success_message": self.success_message, "failure_message": self.failure_message}

    def as_json(self) -> dict[str, Any]:
        """Return what a page needs to grade the question."""
        return super().as_json() | self._graded_with() | self.messages

    @abstractmethod
    def _graded_with(self) -> dict[str, Any]:
        """Return what a page needs besides points and messages."""


def variable(name: str) -> str:
    """Return the name of an answer's variable, or raise `DefinitionError`."""
    if not name.isidentifier():
        raise DefinitionError(
            f"question {name!r}: its name is the answer's variable, such as weights"
        )
    if hasattr(builtins, name) or keyword.iskeyword(name):
        raise DefinitionError(
            f"question {name!r}: Python has a meaning for this name; take another, such as weights"
        )
    return name


def earned_share(share: float) -> float:
    """Return the share of the points for a share that is right: none below `LEAST_CREDIT`."""
    return share if share >= LEAST_CREDIT else 0.0


def plain(value: Any) -> Any:
    """Return numbers of any array library and tuples as Python's own numbers and lists."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def _default(field: Any) -> Any:
    made = field.default_factory
    return field.default if made is MISSING else made()
