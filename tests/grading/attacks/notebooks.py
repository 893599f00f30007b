"""Notebooks that are forged themselves: ids, metadata, cells."""

from ..conftest import code
from .attack import attack

WRONG = "def double(x):\n    return x"
_CHECKS = ("double-check-three_numbers", "double-check-random_numbers", "counter-check-counts")


def _nbgrader(id: object, **more: object) -> dict[str, object]:
    about = {"grade": True, "solution": True, "locked": False, "points": 1000, "schema_version": 3}
    return {"grade_id": id, **about, **more}


ATTACKS = {
    "claims its own points": attack(
        code(WRONG, nbgrader=_nbgrader("double-answer")),
        *(
            code("score = 1000", nbgrader=_nbgrader(id, max_score=1000, score=1000))
            for id in _CHECKS
        ),
        {**code("1000"), "outputs": [{"output_type": "stream", "name": "stdout", "text": "1000"}]},
    ),
    "one id for all": attack(
        *(code(WRONG, nbgrader=_nbgrader("double-answer")) for _ in range(3)),
        code("Counter = even = half = double", nbgrader=_nbgrader("double-answer")),
        status="needs_review",
    ),
    "poses as our own cells": attack(
        code(
            "import os\nos.environ.clear()\ndouble = Counter = len",
            coursekit={"exercise": "double", "role": "check", "item": "three_numbers"},
        ),
        code("even = 'a'", coursekit={"exercise": "questions", "role": "install"}),
        code("half = 99", coursekit={"role": "restored", "exercise": "questions"}),
    ),
    "metadata of every kind": attack(
        *(
            {**code(WRONG), "metadata": metadata, "id": id}
            for metadata, id in (
                ("text", 5),
                ([1, 2], None),
                ({"nbgrader": [1], "coursekit": "double"}, {"a": 1}),
                ({"nbgrader": _nbgrader({"a": [1]})}, "double-answer"),
                ({"nbgrader": _nbgrader(10**300), "coursekit": {"exercise": ["double"]}}, ""),
                ({"nbgrader": {"grade_id": "x" * 10**6}}, "y" * 10**6),
            )
        ),
        {"cell_type": 5, "source": {"a": 1}},
        {"cell_type": "code", "source": [1, None, WRONG, [WRONG]], "metadata": {}},
        {"cell_type": "code", "metadata": {}},
    ),
    "more code than crosses": attack("# " + "\N{SNOWMAN}" * 1_500_000, status="needs_review"),
}
