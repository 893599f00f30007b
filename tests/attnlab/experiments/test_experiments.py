"""Short runs of the experiments, and the stored results.

A direction is asserted only where it held in every seed.
"""

import pytest

pytest.importorskip("torch")

from attnlab.experiments import agreement, alignment, heads, load, memory, names, recall, run
from attnlab.models import translation

#: The first needs the weights of a published model, the second is of other depths in short.
OTHERS = {"real_heads", "norms"}


@pytest.mark.parametrize("name", [name for name in names() if name not in OTHERS])
def test_a_short_run_has_the_stored_curves(name):
    short = run(name, seeds=(0,), quick=True)
    assert set(short.curves) == set(load(name).curves)
    assert short.settings["quick"]


def test_unknown_models_are_named():
    with pytest.raises(ValueError, match="model is 'oracle'; expected one of attention"):
        agreement.train("oracle")
    with pytest.raises(ValueError, match="model is 'three heads'; expected one of two heads"):
        heads.train("three heads")
    with pytest.raises(ValueError, match="model is 'oracle'; expected one of vector of 8"):
        translation.train("oracle")
    with pytest.raises(ValueError, match="model is 'oracle'; expected one of attention, vector"):
        recall.train("oracle", 2)
    with pytest.raises(ValueError, match="model is 'oracle'; expected one of BiGRU, Transformer"):
        alignment.train("oracle")
    with pytest.raises(ValueError, match="no experiment 'alchemy'"):
        run("alchemy")
    with pytest.raises(KeyError):
        memory.train("oracle", (0,))
