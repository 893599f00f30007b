import json
import subprocess
import sys

import numpy as np
import pytest

from attnlab.experiments import CLAIMS, Claim, Curve, Result, claim, load
from attnlab.experiments.registry import main

SOME = Claim("some", "One thing.", "Somebody (2000).", "Another thing.", 3.0)


def a_result():
    curves = {"é": Curve([0, 1.5], [[0.5, 1.0], [0.25, 0.5], [0.75, 0.0]])}
    return Result(SOME, curves, [0, 1, 2], {"steps": 7}, 1.5)


def test_a_result_survives_its_file(tmp_path):
    path = a_result().save(tmp_path)
    assert path.name == "some.json"
    assert load("some", tmp_path) == a_result()
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


@pytest.mark.parametrize("name", CLAIMS)
def test_every_claim_can_be_refuted_and_has_its_result(name):
    stated, stored = claim(name), load(name)
    assert stated.name == name
    assert stated.claim.endswith(".")
    assert stated.refuted_by
    assert stated.source
    assert stored.claim == stated, "the stored result is of another claim: run it again"
    assert len(stored.seeds) >= 3
    assert not stored.settings["quick"]
    assert {"python", "numpy", "torch"} <= set(stored.versions)
    for curve in stored.curves.values():
        assert curve.array.shape[0] == len(stored.seeds)
        assert np.isfinite(curve.array).all()


def test_the_command_lists_and_refuses(capsys):
    assert main([]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in CLAIMS)
    assert main(["alchemy"]) == 2
    assert "no experiment 'alchemy'; expected one of agreement" in capsys.readouterr().err


def test_naming_the_experiments_needs_no_torch():
    code = (
        "import sys; from attnlab.experiments import CLAIMS, claim, load; from attnlab.experiments "
        "import plots, grammar; [claim(n) for n in CLAIMS]; sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
