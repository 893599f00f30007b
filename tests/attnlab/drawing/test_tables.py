"""Arrays and results as tables: real headers, hatched masks, one clear line for bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bs4 import BeautifulSoup, Tag

from attnlab.drawing import table, weights_table

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


def test_nan_behind_the_mask_is_nobodys_business() -> None:
    weights_table([[np.nan, 1.0]], mask=[[False, True]])


RATIOS = {"plain": [1.256, 3], "in blocks": [np.float32(-0.001), np.int64(1024)]}


def body(page: BeautifulSoup) -> list[list[str]]:
    return [[cell.text for cell in row.find_all("td")] for row in page.select("tbody tr")]


def one(page: BeautifulSoup, selector: str) -> Tag:
    (element,) = page.select(selector)
    return element


def test_rows_and_columns_have_headers_with_their_scope() -> None:
    page = parsed(table(RATIOS, ["time", "tokens"], row_name="form", caption="Look <here>."))
    assert [th.text for th in page.select("thead th[scope=col]")] == ["form", "time", "tokens"]
    assert [th.text for th in page.select("tbody th[scope=row]")] == ["plain", "in blocks"]
    assert one(page, "caption").text == "Look <here>."
    assert page.find("here") is None


def test_name_of_all_columns_stands_above_them() -> None:
    page = parsed(table(RATIOS, [128, 8192], column_name="tokens"))
    over = one(page, "th[scope=colgroup]")
    assert (over.text, over["colspan"]) == ("tokens", "2")
    assert one(page, "thead td")["rowspan"] == "2"
    assert [th.text for th in page.select("thead tr:last-child th")] == ["128", "8192"]


def test_numbers_have_their_decimals_a_real_minus_and_groups() -> None:
    assert body(parsed(table(RATIOS, "ab"))) == [["1.26", "3"], ["0.00", "1,024"]]
    assert body(parsed(table({"x": [-1.5, 2.0]}, "ab", decimals=(1, 3)))) == [["−1.5", "2.000"]]


def test_columns_named_by_numbers_have_no_needless_zeros() -> None:
    page = parsed(table({"x": [1, 2, 3]}, [0.0, 0.1, np.float64(10.0)]))
    assert [th.text for th in page.select("thead th")] == ["0", "0.1", "10"]


def test_words_truth_values_and_nothing() -> None:
    page = parsed(table({"x": ["a <b>", True, np.False_, None], "y": ["c", 1, 2, 3]}, "abcd"))
    assert body(page)[0] == ["a <b>", "yes", "no", "–"]
    assert [th.get("class") for th in page.select("thead th")] == [["attn-text"], None, None, None]
    assert [td.get("class") for td in page.select("tbody tr:first-child td")][:2] == [
        ["attn-text"],
        None,
    ]


def test_table_that_a_phone_must_scroll_is_within_reach_of_the_keyboard() -> None:
    wide, narrow = (parsed(table({"x": np.ones(n)}, range(n), caption="C")) for n in (9, 3))
    region = one(wide, "[tabindex='0']")
    assert (region["role"], region["aria-label"]) == ("group", "C")
    assert narrow.select("[tabindex]") == []


def test_sentences_wrap_and_short_texts_do_not() -> None:
    page = parsed(table({"x": ["la chaise avait été ramassée", "(3, 7, 4)"]}, ["written", "shape"]))
    looks = [td.get("class") for td in page.select("tbody td")]
    assert looks == [["attn-text", "attn-sentence"], ["attn-text"]]
    assert page.select("[tabindex]") == []


def test_text_lines_up() -> None:
    shown = repr(table({"a": [0.5, "yes"], "long": [10, "no"]}, ["n", "word"], column_name="of"))
    assert shown.splitlines() == [
        "              of",
        "         n  word",
        "a     0.50  yes",
        "long    10  no",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"weights": [0.5, 0.5]}, r"shape \(2,\); expected \(num_queries, num_keys\)"),
        ({"weights": WEIGHTS, "queries": ["a"]}, "queries has 1 labels; expected 2"),
        ({"weights": WEIGHTS, "mask": [1, 0, 1]}, "dtype int64; expected bool"),
        ({"weights": WEIGHTS, "mask": [True, False]}, r"mask has shape \(2,\); expected \(2, 3\)"),
        ({"weights": [[2.0, -1.0]]}, 'from -1 to 2; expected 0 to 1.*kind="scores"'),
        ({"weights": [[np.nan]]}, "NaN or inf where the mask is True"),
        ({"rows": {}, "columns": "ab"}, "0 rows and 2 columns; expected at least one"),
        ({"rows": {"x": []}, "columns": []}, "1 rows and 0 columns"),
        ({"rows": {"x": [1]}, "columns": "ab"}, "row 'x' has 1 values; expected 2"),
        (
            {"rows": {"x": [1]}, "columns": "a", "decimals": [1, 2]},
            "decimals has 2 entries; expected 1",
        ),
        ({"rows": {"x": [{}]}, "columns": "a"}, "a cell holds a dict; expected a num"),
    ],
)
def test_bad_input_gets_one_line(arguments: dict[str, Any], message: str) -> None:
    error = TypeError if "a cell holds" in message else ValueError
    with pytest.raises(error, match=message) as caught:
        (weights_table if "weights" in arguments else table)(**arguments)
    assert "\n" not in str(caught.value)
