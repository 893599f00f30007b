"""Heat maps as tables: real headers, hatched masks, one clear line for bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bs4 import BeautifulSoup, Tag

from attnlab.drawing import weights_table
from attnlab.drawing.text import shape_text

WEIGHTS = np.array([[0.2, 0.3, 0.5], [0.0, 0.25, 0.75]])
MASK = np.array([[True, True, True], [False, True, True]])


def parsed(table: Any) -> BeautifulSoup:
    return BeautifulSoup(table._repr_html_(), "html.parser")


def cells(page: BeautifulSoup) -> list[list[Tag]]:
    return [row.find_all("td") for row in page.select("tbody tr")]


def test_rows_are_queries_and_columns_are_keys() -> None:
    page = parsed(weights_table(WEIGHTS, ["Le", "chat"], ["the", "cat", "sat"], caption="Look."))
    assert [th.text for th in page.select("thead th[scope=col]")] == ["the", "cat", "sat"]
    assert [th.text for th in page.select("tbody th[scope=row]")] == ["Le", "chat"]
    assert page.caption is not None
    assert page.caption.text == "Look. (num_queries, num_keys) = (2, 3)"
    assert [cell.text for cell in cells(page)[0]] == ["0.20", "0.30", "0.50"]


def test_masked_cell_is_hatched_and_has_no_number() -> None:
    cell = cells(parsed(weights_table(WEIGHTS, mask=MASK)))[1][0]
    assert cell["class"] == ["attn-masked"]
    assert cell.text == "masked"


def test_colour_is_the_weight_in_per_cent() -> None:
    cell = cells(parsed(weights_table(WEIGHTS)))[1][2]
    assert "--attn-level:75;" in str(cell["style"])


def test_scores_may_be_negative_and_show_a_real_minus() -> None:
    cell = cells(parsed(weights_table([[-1.0, 4.0]], kind="scores")))[0][0]
    assert cell.text == "−1.00"
    assert "--attn-cell:var(--attn-negative);--attn-level:25" in str(cell["style"])


def test_tokens_are_escaped() -> None:
    html = weights_table([[1.0]], ["<b>"], ['"&"'])._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;" in html


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"weights": [0.5, 0.5]}, r"shape \(2,\); expected \(num_queries, num_keys\)"),
        ({"weights": WEIGHTS, "queries": ["a"]}, "queries has 1 labels; expected 2"),
        ({"weights": WEIGHTS, "mask": [1, 0, 1]}, "dtype int64; expected bool"),
        ({"weights": WEIGHTS, "mask": [True, False]}, r"mask has shape \(2,\); expected \(2, 3\)"),
        ({"weights": [[2.0, -1.0]]}, 'from -1 to 2; expected 0 to 1.*kind="scores"'),
        ({"weights": [[np.nan]]}, "NaN or inf where the mask is True"),
    ],
)
def test_bad_input_gets_one_line(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        weights_table(**arguments)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_nan_behind_the_mask_is_nobodys_business() -> None:
    weights_table([[np.nan, 1.0]], mask=[[False, True]])


def test_shape_is_written_in_one_form() -> None:
    assert shape_text(num_queries=4, num_keys=6) == "(num_queries, num_keys) = (4, 6)"
    assert shape_text(d_k=8) == "(d_k,) = (8,)"
