"""Generate fables from a synthetic grammar, to train a small GPT on.

Two animals and a thing that changes hands: "once there was an old fox named Mara …". What a model
has to learn of it: "a" or "an", a pronoun for each name, verbs that agree with a subject further
back, what the thing is and what it is like, who has it after all, and the moral, which follows
from the last event. All words are ours; the licence is the course's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

#: The mark before the first word, the mark after the last one, and what fills shorter rows.
BEGIN, END, PAD = "<begin>", "<end>", "<pad>"

FEMALE = ("Mara", "Lena", "Ida", "Nora", "Vera", "Zoe", "Anna", "Ruth")
MALE = ("Orin", "Emil", "Hugo", "Otto", "Finn", "Jonas", "Karl", "Leo")
#: Animals, one and many.
ANIMALS = {
    "fox": "foxes", "wolf": "wolves", "owl": "owls", "hare": "hares", "crow": "crows",
    "mouse": "mice", "bear": "bears", "goat": "goats", "ant": "ants", "otter": "otters",
    "eagle": "eagles", "frog": "frogs",
}  # fmt: skip
CHARACTERS = ("old", "angry", "idle", "young", "clever", "proud", "hungry", "lonely", "honest")
THINGS = ("key", "ring", "drum", "lantern", "bell", "crown", "coin", "map", "egg", "apple")
QUALITIES = ("golden", "ancient", "silver", "broken", "iron", "red", "ugly", "heavy", "empty")
#: Places, one and many.
PLACES = {
    "river": "rivers", "mill": "mills", "hill": "hills", "wall": "walls", "well": "wells",
    "bridge": "bridges", "garden": "gardens", "tree": "trees",
}  # fmt: skip
NEAR = ("near", "behind", "beyond", "below")
FEELINGS = ("glad", "sad", "afraid", "envious", "silent", "kind")
DAILY = ("polished", "counted", "hid", "praised", "cleaned")
#: The moral that follows from each last event.
MORALS = {
    "gift": "a gift makes a friend",
    "song": "a song opens every door",
    "theft": "a thief sleeps badly",
    "find": "look where you walk",
    "refusal": "an open hand is never empty",
}
MOST_EVENTS = 3


@dataclass(frozen=True)
class Character:
    """One animal of a fable: its name, its kind, and whether it is called "she"."""

    name: str
    animal: str
    is_female: bool

    @property
    def pronoun(self) -> str:
        """The pronoun as a subject."""
        return "she" if self.is_female else "he"

    @property
    def object(self) -> str:
        """The pronoun as an object."""
        return "her" if self.is_female else "him"


@dataclass(frozen=True)
class Fable:
    """One fable, and what is true in it.

    Parameters
    ----------
    words : tuple of str
        The text without `BEGIN` and `END`; punctuation marks are words.
    characters : tuple of Character
        Who takes part, the first holder first.
    thing, quality : str
        What changes hands: "key", "golden".
    events : tuple of str
        What happened in turn, each a key of `MORALS`.
    holder : str
        The name of the one that has the thing in the end.
    """

    words: tuple[str, ...]
    characters: tuple[Character, ...]
    thing: str
    quality: str
    events: tuple[str, ...]
    holder: str


def tell(rng: np.random.Generator, num_events: int | None = None) -> Fable:
    """Return a fable drawn at random; ``num_events`` is 1 to `MOST_EVENTS` when not given.

    Examples
    --------
    >>> fable = tell(np.random.default_rng(0), num_events=1)
    >>> len(fable.events), fable.holder in {someone.name for someone in fable.characters}
    (1, True)
    """
    count = int(rng.integers(1, MOST_EVENTS + 1)) if num_events is None else num_events
    characters = _characters(rng)
    thing, quality = _pick(rng, THINGS), _pick(rng, QUALITIES)
    first, second = characters
    text = [*_opening(rng, first, thing, quality)]
    if rng.random() < 0.7:
        text.append(_bystanders(rng))
    text.append(_arrival(rng, second))
    holder, other = first, second
    events: list[str] = []
    for _ in range(count):
        event = _pick(rng, tuple(kind for kind in MORALS if [kind] != events[-1:]))
        text += _EVENTS[event](rng, holder, other, thing)
        if event != "refusal":
            holder, other = other, holder
        if rng.random() < 0.3:
            text.append(f"{other.name} said that the {thing} was {quality} .")
        events.append(event)
    text += [_question(rng, holder, thing), f"the moral : {MORALS[events[-1]]} ."]
    words = tuple(" ".join(text).split())
    return Fable(words, characters, thing, quality, tuple(events), holder.name)


def _pick(rng: np.random.Generator, words: tuple[str, ...]) -> str:
    return words[int(rng.integers(len(words)))]


def _characters(rng: np.random.Generator) -> tuple[Character, Character]:
    animals = rng.permutation(list(ANIMALS))[:2]
    names = [(name, True) for name in FEMALE] + [(name, False) for name in MALE]
    chosen = [names[int(i)] for i in rng.permutation(len(names))[:2]]
    first, second = (
        Character(name, str(animal), is_female)
        for (name, is_female), animal in zip(chosen, animals, strict=True)
    )
    return first, second


def with_article(words: str) -> str:
    """Return words after "a" or "an"; no word of the grammar has another sound than letter."""
    starts_with_vowel = words[0] in "aeiou" or words.startswith("honest")
    return f"an {words}" if starts_with_vowel else f"a {words}"


def _opening(rng: np.random.Generator, who: Character, thing: str, quality: str) -> Iterator[str]:
    animal = with_article(f"{_pick(rng, CHARACTERS)} {who.animal}")
    yield f"once there was {animal} named {who.name} , who lived {_place(rng)} ."
    owned = with_article(f"{quality} {thing}")
    daily = f" , and {_pick(rng, DAILY)} it every day" if rng.random() < 0.6 else ""
    yield f"{who.pronoun} had {owned}{daily} ."


def _place(rng: np.random.Generator) -> str:
    return f"{_pick(rng, NEAR)} the {_noun(rng, PLACES)[0]}"


def _noun(rng: np.random.Generator, nouns: dict[str, str]) -> tuple[str, bool]:
    """Return a noun, one or many, and whether it is many."""
    one, is_many = _pick(rng, tuple(nouns)), bool(rng.random() < 0.5)
    return (nouns[one] if is_many else one), is_many


def _bystanders(rng: np.random.Generator) -> str:
    """Return a sentence whose verb agrees with a subject that other nouns separate from it."""
    subject, is_many = _noun(rng, ANIMALS)
    verb = "were" if is_many else "was"
    kind = rng.random()
    if kind < 0.4:
        between = _place(rng)
    elif kind < 0.8:
        between = f"that the {_noun(rng, ANIMALS)[0]} knew"
    else:
        between = f"that the {_noun(rng, ANIMALS)[0]} {_place(rng)} knew"
    return f"the {subject} {between} {verb} {_pick(rng, FEELINGS)} ."


def _arrival(rng: np.random.Generator, who: Character) -> str:
    animal = with_article(f"{_pick(rng, CHARACTERS)} {who.animal}")
    return f"one day {animal} named {who.name} came by ."


def _gift(rng: np.random.Generator, holder: Character, other: Character, thing: str) -> list[str]:
    asked = f"“ please give me the {thing} , ” said {other.name} ."
    return [asked, f"{holder.name} smiled and gave {other.object} the {thing} ."]


def _refusal(
    rng: np.random.Generator, holder: Character, other: Character, thing: str
) -> list[str]:
    asked = f"“ please give me the {thing} , ” said {other.name} ."
    return [asked, f"“ no , ” said {holder.name} , “ the {thing} is mine , ” and kept it ."]


def _song(rng: np.random.Generator, holder: Character, other: Character, thing: str) -> list[str]:
    return [f"{other.name} sang so well that {holder.name} gave {other.object} the {thing} ."]


def _theft(rng: np.random.Generator, holder: Character, other: Character, thing: str) -> list[str]:
    return [f"at night , when {holder.name} slept , {other.name} took the {thing} away ."]


def _find(rng: np.random.Generator, holder: Character, other: Character, thing: str) -> list[str]:
    return [f"{holder.name} lost the {thing} {_place(rng)} , where {other.name} found it ."]


_EVENTS = {"gift": _gift, "song": _song, "theft": _theft, "find": _find, "refusal": _refusal}


def _question(rng: np.random.Generator, holder: Character, thing: str) -> str:
    asker, answerer = (str(animal) for animal in rng.permutation(list(ANIMALS))[:2])
    asked = f"“ who has the {thing} now ? ” asked the {asker} ."
    return f"{asked} “ {holder.name} has it , ” said the {answerer} ."


@cache
def vocabulary() -> tuple[str, ...]:
    """Return all words: the marks first, then those of the grammar in alphabetical order."""
    rng = np.random.default_rng(0)
    told = {word for _ in range(3000) for word in tell(rng).words}
    return (PAD, BEGIN, END, *sorted(told))


def encode(words: tuple[str, ...] | list[str]) -> list[int]:
    """Return the numbers of words; a word that the grammar lacks is a ``ValueError``."""
    numbers = {word: number for number, word in enumerate(vocabulary())}
    if unknown := [word for word in words if word not in numbers]:
        raise ValueError(f"{unknown[0]!r} is not a word of the fables; see vocabulary()")
    return [numbers[word] for word in words]


def batch(fables: list[Fable]) -> np.ndarray:
    """Return fables as rows of numbers: BEGIN, the words, END, then PAD, shape (batch, tokens)."""
    rows = [encode([BEGIN, *fable.words, END]) for fable in fables]
    padded = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for row, numbers in zip(padded, rows, strict=True):
        row[: len(numbers)] = numbers
    return padded
