import json
import subprocess
import sys

import numpy as np
import pytest

from attnlab import results
from attnlab.experiments import RESULTS, Curve, Result, claim, load, names
from attnlab.experiments.__main__ import main


def a_result():
    curves = {"é": Curve([0, 1.5], [[0.5, 1.0], [0.25, 0.5], [0.75, 0.0]])}
    return Result(curves, [0, 1, 2], {"steps": 7}, 1.5)


def test_a_result_survives_its_file(tmp_path):
    path = tmp_path / "folder" / "some.json"
    results.write(a_result(), "One thing.", path)
    assert results.read(path) == load("some", path.parent) == a_result()
    assert json.loads(path.read_text("utf-8"))["claim"] == "One thing."
    assert json.loads(path.read_text("utf-8"))["versions"]["numpy"] == np.__version__


def test_a_curve_knows_its_spread():
    curve = a_result()["é"]
    np.testing.assert_allclose(curve.mean, [0.5, 0.5])
    np.testing.assert_allclose(curve.low, [0.25, 0.0])
    np.testing.assert_allclose(curve.high, [0.75, 1.0])
    np.testing.assert_allclose(curve.at(1.5), [1.0, 0.5, 0.0])


def test_mistakes_are_clear():
    with pytest.raises(ValueError, match=r"shape \(1, 3\); expected \(num_seeds, 2\)"):
        Curve([0, 1], [[1.0, 1.0, 1.0]])
    with pytest.raises(ValueError, match="x is 3; this curve was measured at"):
        a_result()["é"].at(3)
    with pytest.raises(KeyError, match="no curve 'e'; this result has é"):
        a_result()["e"]
    with pytest.raises(FileNotFoundError, match=r"python -m attnlab\.experiments nothing"):
        load("nothing")


@pytest.mark.parametrize("name", names())
def test_every_claim_can_be_refuted_and_has_its_result(name):
    stated, stored = claim(name), load(name)
    assert stated.sentence.endswith(".")
    assert stated.refuted_by
    assert stated.source
    tested = json.loads((RESULTS / f"{name}.json").read_text("utf-8"))["claim"]
    assert tested == stated.sentence, "the stored result is of another claim: run it again"
    assert len(stored.seeds) >= 3
    assert not stored.settings["quick"]
    assert {"python", "numpy", "torch"} <= set(stored.versions)
    for title, curve in stored.curves.items():
        # Those after a claim was attacked say so, and have whole rounds of further seeds.
        rounds = {2, 3} if "more seeds" in title else {1}
        assert len(curve.values) in {n * len(stored.seeds) for n in rounds}, title
        assert np.isfinite(curve.array).all()


def test_the_command_lists_and_refuses(capsys):
    assert main([]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in names())
    assert main(["alchemy"]) == 2
    assert "no experiment 'alchemy'; expected one of agreement" in capsys.readouterr().err


def test_several_run_at_once_and_one_that_fails_stops_no_other(capfd):
    assert main(["peaked", "alchemy", "summaries", "--quick", "--jobs", "2"]) == 2
    said = capfd.readouterr()
    assert said.out.count("not stored (quick)") == 2
    assert "no experiment 'alchemy'" in said.err


def test_naming_the_experiments_needs_no_torch():
    code = (
        "import sys; from attnlab import data, drawing, experiments; from attnlab.data import "
        "grammar; [experiments.claim(n) for n in experiments.names()]; "
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
