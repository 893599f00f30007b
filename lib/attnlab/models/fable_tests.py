"""Test what a GPT has learned of the fables, each rule of the grammar by itself.

``python -m attnlab.models.fable_tests`` measures the model that ships, and stores the numbers
beside its weights, from where the chapter reads them.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from attnlab.data import fables
from attnlab.data.fables import Fable
from attnlab.gpt import END, WEIGHTS, gpt, load, softmax, to_tokens, write
from attnlab.gpt.reading import attention_maps
from attnlab.gpt.trained import words
from attnlab.models.fable_surprise import surprise_of_grammar

STORED = WEIGHTS.with_suffix(".json")
#: Seeds of fables that no training has seen begin here.
HELD_BACK = 10_000
FABLES, WRITTEN = 300, 60
TEMPERATURES = (0.5, 0.8, 1.0, 1.5)

Logits = Callable[[list[int]], np.ndarray]
#: What is asked of the model at a place, and between which words it is to choose.
Question = tuple[str, int, tuple[str, ...]]


def questions(fable: Fable) -> Iterator[Question]:
    """Yield what a fable asks: the rule, the place of the answer, and the possible answers."""
    text = fable.words
    names = tuple(someone.name for someone in fable.characters)
    answer = max(i for i, word in enumerate(text) if word == "has") - 1
    kind = f"who has it, events: {len(fable.events)}"
    if len(fable.events) > fables.MOST_EVENTS:  # longer than any fable of training
        kind += f", hand-overs: {len(fable.events) - fable.events.count('refusal')}"
    yield kind, answer, names
    yield "the thing that is asked for", answer - 9, fables.THINGS
    yield "she or he", text.index(".") + 1, ("she", "he")
    for place, word in enumerate(text):
        if word in ("was", "were") and text[place + 1] in fables.FEELINGS:
            start = max(i for i in range(place) if text[i] == ".") + 1
            nouns = [w for w in text[start:place] if _number(w)]
            same = all(_number(noun) == _number(nouns[0]) for noun in nouns[1:])
            kind = "all nouns alike" if same else "another noun differs"
            yield f"was or were, {kind}", place, ("was", "were")
        if text[place - 5 : place - 3] == ("said", "that") and word in fables.QUALITIES:
            yield "what the thing is like", place, fables.QUALITIES
        if text[place - 1] == "gave" and word in ("him", "her"):
            yield "him or her", place, ("him", "her")
        if word in ("a", "an") and text[place - 1] in ("was", "had", "day"):
            yield "a word that fits a or an", place + 1, (*fables.CHARACTERS, *fables.QUALITIES)
        if text[place - 3 : place] == ("moral", ":", "a"):
            yield "the moral: a gift, a song or a thief", place, ("gift", "song", "thief")


def _number(word: str) -> str:
    for nouns in (fables.ANIMALS, fables.PLACES):
        if word in nouns:
            return "one"
        if word in nouns.values():
            return "many"
    return ""


def is_right(rule: str, fable: Fable, place: int, chosen: str) -> bool:
    """Return whether a word is a right answer: "an" allows every word with a vowel."""
    if rule.startswith("a word"):
        return fables.with_article(chosen).split()[0] == fable.words[place - 1]
    return chosen == fable.words[place]


def ask(logits_of: Logits, told: list[Fable]) -> dict[str, dict[str, float]]:
    """Return for each rule the share of right answers, and how many were asked."""
    numbers = {word: number for number, word in enumerate(words())}
    right: dict[str, list[bool]] = defaultdict(list)
    for fable in told:
        tokens = [numbers[fables.BEGIN], *(numbers[word] for word in fable.words)]
        logits = logits_of(tokens)
        for rule, place, options in questions(fable):
            # The logits of a place predict the next one, and BEGIN moves all words by one.
            chosen = max(options, key=lambda word: logits[place, numbers[word]])
            right[rule].append(is_right(rule, fable, place, chosen))
    return {
        rule: {"right": round(float(np.mean(all_)), 4), "asked": len(all_)}
        for rule, all_ in sorted(right.items())
    }


def holder_told(text: list[str]) -> str | None:
    """Return who has the thing by the events of a text; None where a sentence is not understood."""
    sentences = " ".join(text).replace("“ ", "").replace(" ”", "").split(" .")
    holder = None
    for sentence in sentences:
        if found := re.search(r"named (\w+) , who", sentence):
            holder = found[1]
        for pattern in _MOVES:
            if found := re.search(pattern, sentence):
                if found["from"] != holder:
                    return None
                holder = found["to"]
    return holder


_MOVES = (
    r"(?P<to>[A-Z]\w+) sang so well that (?P<from>[A-Z]\w+) gave",
    r"when (?P<from>[A-Z]\w+) slept , (?P<to>[A-Z]\w+) took",
    r"(?P<from>[A-Z]\w+) lost .* where (?P<to>[A-Z]\w+) found",
)


def written(temperature: float, seed: int) -> list[str]:
    """Return the words of one fable that the model writes."""
    draws = np.random.default_rng((seed, 7)).random(180)
    vocabulary = words()
    text = write(to_tokens("once there was"), load(), draws, temperature)
    return [vocabulary[token] for token in text[1:]]


def of_written(temperature: float) -> dict[str, float]:
    """Return what becomes of the question who has the thing, in the model's own fables.

    "ended": the share of fables that end; "consistent": how many of these have an answer, and
    events in which each giver has what is given; "fits": in how many of those the answer is right.
    """
    texts = [written(temperature, seed) for seed in range(WRITTEN)]
    ended = [text[:-1] for text in texts if text[-1] == words()[END]]
    consistent = fits = 0
    for text in ended:
        answers = [text[i - 1] for i, word in enumerate(text) if word == "has" and i][-1:]
        holder = holder_told(_with_gifts(text))
        consistent += bool(answers) and holder is not None
        fits += bool(answers) and answers == [holder]
    return {"ended": len(ended) / WRITTEN, "consistent": consistent, "fits": fits}


def told_answers(logits_of: Logits, told: list[Fable], temperature: float) -> float:
    """Return the mean probability of the holder's name, in fables that the grammar tells."""
    numbers = {word: number for number, word in enumerate(words())}
    shares = []
    for fable in told:
        _, place, _ = next(questions(fable))
        tokens = [numbers[fables.BEGIN], *(numbers[word] for word in fable.words[:place])]
        logits = np.asarray(logits_of(tokens)[-1], float)
        shares.append(softmax(logits / temperature)[numbers[fable.holder]])
    return round(float(np.mean(shares)), 3)


def _with_gifts(text: list[str]) -> list[str]:
    """Return the text with each gift told like a song, so that one sentence has both names."""
    line = " ".join(text)
    gift = r"said (\w+) \. (\w+) smiled and gave"
    return re.sub(gift, r". \1 sang so well that \2 gave", line).split()


def heads(told: list[Fable]) -> dict[str, float]:
    """Return what two heads look at, and what fails without the first of them.

    Block 1, head 1, at the end of the first sentence: where the pronoun is predicted from. Block
    3, head 4, before the answer: where the holder's name is predicted from.
    """
    model, without = load(), load()
    width = model["positions"].shape[1] // model["num_heads"]
    without["blocks"][0]["w_output"][:width] = 0
    name_weight, loser_weight, holder_weight, right = [], [], [], []
    for fable in told:
        tokens = np.array([1, *fables.encode(fable.words)])
        first = fable.words.index(".") + 1
        after = max(i for i, word in enumerate(fable.words) if word == "has") - 1
        (losing,) = {who.name for who in fable.characters} - {fable.holder}
        early = attention_maps(tokens[: first + 1], model)[0, 0, -1]
        late = attention_maps(tokens[: after + 1], model)[2, 3, -1]
        name_weight.append(_weight_on(fable.characters[0].name, early, fable))
        loser_weight.append(_weight_on(losing, late, fable))
        holder_weight.append(_weight_on(fable.holder, late, fable))
        logits = gpt(tokens[: first + 1], without)[-1]
        she, he = fables.encode(["she", "he"])
        right.append((logits[she] > logits[he]) == (fable.words[first] == "she"))
    means = {"pronoun to name": name_weight, "answer to loser": loser_weight}
    means |= {"answer to holder": holder_weight, "pronoun without the head": right}
    return {what: round(float(np.mean(values)), 3) for what, values in means.items()}


def _weight_on(name: str, weights: np.ndarray, fable: Fable) -> float:
    """Return the weight on all places of a name; BEGIN moves the words by one."""
    return float(sum(weights[i + 1] for i in range(len(weights) - 1) if fable.words[i] == name))


def measure() -> dict[str, object]:
    """Return all numbers of the chapter."""
    model = load()

    def logits_of(tokens: list[int]) -> np.ndarray:
        return gpt(np.array(tokens), model)

    seeds = range(HELD_BACK + 1, HELD_BACK + FABLES + 1)
    told = [fables.tell(np.random.default_rng(seed)) for seed in seeds]
    longer = [fables.tell(np.random.default_rng((HELD_BACK, i)), 4) for i in range(FABLES)]
    longer = [fable for fable in longer if len(fable.words) < len(model["positions"])]
    refused = ask(logits_of, [fable for fable in longer if fable.events[-1] == "refusal"])
    last = [row for rule, row in refused.items() if "events: 4" in rule]
    asked = sum(row["asked"] for row in last)
    rules = ask(logits_of, told)
    rules |= {k: v for k, v in ask(logits_of, longer).items() if "events: 4" in k}
    loss = np.concatenate([losses(logits_of, fable) for fable in told])
    return {
        "loss": round(float(loss.mean()), 3),
        "loss_of_grammar": round(surprise_of_grammar(seeds), 3),
        "words_of_a_fable": round(len(loss) / FABLES, 1),
        "num_words": len(words()),
        "rules": rules,
        "four events, the last a refusal": {
            "right": round(sum(row["right"] * row["asked"] for row in last) / asked, 4),
            "asked": asked,
        },
        "heads": heads(told[:150]),
        "told_answers": {str(t): told_answers(logits_of, told, t) for t in TEMPERATURES},
        "written": {str(t): of_written(t) for t in TEMPERATURES},
    }


def losses(logits_of: Logits, fable: Fable) -> np.ndarray:
    """Return minus the logarithm of the probability of each word and END, (words + 1,)."""
    tokens = [1, *fables.encode(fable.words), END]
    probabilities = softmax(np.asarray(logits_of(tokens[:-1]), float))
    return -np.log(probabilities[np.arange(len(tokens) - 1), tokens[1:]])


def stored() -> Mapping[str, object]:
    """Return the numbers of the last run."""
    found: Mapping[str, object] = json.loads(STORED.read_text(encoding="utf-8"))
    return found


def store(path: Path = STORED) -> Path:
    """Measure the model that ships, and write the numbers."""
    path.write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    print(store())
