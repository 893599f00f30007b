"""Quizzes as text: what a question is made of, and what is said of text that is none."""

from __future__ import annotations

import pytest

from coursekit._free_text import Example
from coursekit.errors import DefinitionError
from coursekit.picture import Picture
from coursekit.quiz_text import questions_in


def one(text: str):
    (question,), _ = questions_in(text)
    return question


def test_an_option_ends_at_the_first_arrow_outside_of_code_and_formulas() -> None:
    asked = one("""
## larger (2 points)
Which is true?

```python
## no question
```
- [ ] `a > b` whenever
  $a > c$
  > too-large: No: `b > c`
  > is possible.
- [x] $b > 0$ > Yes, 5 > 0.
""")
    assert asked.statement == "Which is true?\n\n```python\n## no question\n```"
    assert [option.text for option in asked.options.values()] == [
        "`a > b` whenever $a > c$",
        "$b > 0$",
    ]
    assert asked.options["a"].failure_message == "No: `b > c` is possible."
    assert asked.options["b"].success_message == "Yes, 5 > 0."
    assert (asked.answer, asked.points) == ("b", 2)
    assert asked.known_mistakes == [("a", "too-large")]


def test_a_mistake_s_text_stands_once_and_serves_all_questions() -> None:
    (memory, halves), told = questions_in("""
## memory (± 0.5 MiB, 3 points)
How much?
- [x] 32 > Two of
  16.
- [ ] 16.0 > halved: One half.
- [ ] else > Think.
## halves (± 1e-3)
- [x] 0.5, -2
- [ ] 1, 1 > halved
""")
    assert told == {"halved": "One half."}
    assert (memory.answer, memory.tolerance, memory.unit, memory.points) == (32, 0.5, "MiB", 3)
    assert (memory.success_message, memory.failure_message) == ("Two of 16.", "Think.")
    assert (halves.answer, halves.tolerance, halves.unit) == ([0.5, -2], 0.001, "")
    assert halves.mistakes == {"halved": [1, 1]}


def test_answers_are_drawn_by_rows() -> None:
    asked = one("""
## weight (± 0.1, weights of key 1 | the end)
- [x] 0.9
  | 0.9 | 0.1 |
- [ ] 1 > only: The end has some.
  | 1 | – |
- [ ] 5 > none: That is no weight.
""")
    means = {"right": [0.9, 0.1], "only": [1, None]}
    assert asked.picture == Picture("weights", ["key 1", "the end"], means)
    assert one("## form (± 0, shape)\n- [x] 2, 3").picture == Picture("shape", [])


def test_lines_to_put_in_order() -> None:
    asked = one("""
## loop
Order them.
```lines
a total += n
b for n in numbers:
c total = 0
```
- [x] c b >a > Yes.
- [x] c b >a
- [ ] b |a > outside: The sum is outside.
- [ ] !c > absent: Nothing to add to.
- [ ] else > Try it.
""")
    assert asked.statement == "Order them."
    assert asked.lines == {"a": "total += n", "b": "for n in numbers:", "c": "total = 0"}
    assert asked.orders == (("c", "b", ">a"), ("c", "b", ">a"))
    assert asked.mistakes == {"outside": ("b", "|a"), "absent": ("!c",)}
    assert (asked.success_message, asked.failure_message) == ("Yes.", "Try it.")


def test_prose_has_a_rubric_and_examples() -> None:
    asked = one("""
## why
Why?
- [1.5] A reason,
  and a good one.
- [1] An example.
### weak (0, 1)
One of
two.
> No reason, but
> an example.
""")
    assert asked.rubric == ((1.5, "A reason, and a good one."), (1, "An example."))
    assert asked.examples == (
        Example(
            quality="weak", text="One of\ntwo.", points=(0, 1), why="No reason, but an example."
        ),
    )


CHOICE = "## n\n- [x] a > Yes.\n"
NUMBER = "## n (± 0)\n- [x] 1\n"
LINES = "## n\n```lines\na one\nb two\n```\n- [x] a >b\n"
PROSE = "## n\n- [1] a\n- [2] b\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: ''; expected a question"),
        ("Which?\n## n", "line 1: 'Which?'; expected '## name'"),
        ("\n## the answer\n", "line 2: '## the answer'; expected '## name' or '## name (± 0.01"),
        ("## 2nd", "line 1: '2nd'; expected a variable"),
        ("## lambda", "line 1: 'lambda'; expected a variable"),
        ("## sum", "line 1: 'sum'; expected a variable"),
        ("## n (5 marks)", "line 1: '5 marks'; expected '2 points'"),
        ("## n (± little)\n- [x] 1", "line 1: 'little'; expected a number"),
        (CHOICE + CHOICE, "line 3: '## n'; expected another name"),
        ("## n\n- [ ] b > m: No.", "line 1: '## n'; expected one answer with [x]; 0 have it"),
        (CHOICE + "- [x] b > Yes.", "line 1: '## n'; expected one answer with [x]; 2 have it"),
        (CHOICE + "- [y] b > m: No.", "line 3: '- [y] b > m: No.'; expected '- [x] answer > "),
        (CHOICE + "- [ ] b\nfor short > m: No.", "line 4: 'for short > m: No.'; expected two"),
        ("## n\n- [x] a\n", "line 2: 'a'; expected '> why' behind each option"),
        (CHOICE + "- [ ] b > m", "line 3: 'b'; expected '> why' behind each option"),
        (CHOICE + "- [ ] b > It is not.", "line 3: 'It is not.'; expected '> mistake-id: text'"),
        (CHOICE + "### weak (1)", "line 3: '### weak (1)'; expected a rubric above it"),
        ("## n (± 0)\n- [x] 24,576", "line 2: '24,576'; expected a number such as 24576"),
        (NUMBER + "- [ ] 2", "line 3: '2'; expected '> mistake-id: text'"),
        (NUMBER + "- [ ] 2 > m", "line 3: 'm'; expected 'm: text' where it is used first"),
        (NUMBER + "- [ ] 2 > m: A.\n- [ ] 3 > m", "line 4: 'm'; expected each mistake once"),
        (
            NUMBER + "- [ ] 2 > m: A.\n" + NUMBER.replace("n", "k") + "- [ ] 2 > m: B.",
            "line 6: 'm'; expected 'm: text' where it is used first, 'm' from there on",
        ),
        (
            "## n (± 0, cells of a | b)\n- [x] 1\n  | 1 |",
            "line 2: '| 1 |'; expected a part for each of those named in '## n (± 0, cells of",
        ),
        (NUMBER + "  | 1 |", "line 2: '| 1 |'; expected a part for each"),
        ("## n\n```lines\ntotal = 0\n```\n- [x] a", "line 3: 'total = 0'; expected a line behind"),
        ("## n\n```lines\na one\n- [x] a", "line 4: '- [x] a'; expected a line behind its letter"),
        (LINES + "- [x] a c", "line 7: 'a c'; expected letters of the lines above, each once"),
        (LINES + "- [x] a a", "line 7: 'a a'; expected letters of the lines above, each once"),
        (LINES + "- [x] >a b", "line 7: '>a b'; expected a line at most one level deeper"),
        (LINES + "- [x] a >>b", "line 7: 'a >>b'; expected a line at most one level deeper"),
        (LINES + "- [ ] !z > m: No.", "line 7: '!z'; expected letters of the lines above"),
        (LINES + "- [ ] b !a > m: No.", "line 7: 'b !a'; expected letters of the lines above"),
        ("## n (2 points)\n- [1] a", "line 1: '## n (2 points)'; expected '## name' alone"),
        (PROSE + "- [x] c", "line 4: 'x'; expected a number"),
        (PROSE + "### weak (1)\nA.\n> B.", "line 4: '### weak (1)'; expected '### quality (1, 2)'"),
        (PROSE + "### weak (1, 3)\nA.\n> B.", "'### weak (1, 3)'; expected '### quality (1, 2)'"),
        (PROSE + "### weak (-1, 0)\nA.\n> B.", "'### weak (-1, 0)'; expected '### quality (1, 2)'"),
        (PROSE + "### weak\nA.\n> B.", "'### weak'; expected '### quality (1, 2)'"),
        (PROSE + "### weak (0, 0)\nA.\n", "'### weak (0, 0)'; expected an answer below it"),
    ],
)
def test_what_is_no_question_is_told_with_its_line(text: str, said: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        questions_in(text)
    assert said in str(refused.value)


def test_the_line_is_that_of_the_file(write_exercise, sources: dict[str, str]) -> None:
    source = sources["twice"]
    line = source[: source.index("- [ ] 1, 4")].count("\n") + 1
    with pytest.raises(DefinitionError, match=rf"twice\.py: line {line}: 'four'; expected a"):
        write_exercise(source, "twice", {"- [ ] 1, 4": "- [ ] 1, four"})
