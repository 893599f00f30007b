"""An answer that ignores its seed is rejected, however its draws fall."""

from __future__ import annotations

from coursekit.bank import Bank
from coursekit.selftest.check import check_answer

# With these two seeds, 100 draws of the exercise's five keys have equal means to the last bit.
BY_CHANCE = """
import itertools
_seeds = itertools.cycle([2792, 3108])

def hard_gradient(scores, losses, num_draws, baseline, seed):
    rng = np.random.default_rng(seed if num_draws == 1 else next(_seeds))
    p = np.exp(scores - scores.max())
    p = p / p.sum()
    chosen = rng.choice(len(p), size=num_draws, p=p)
    return ((losses[chosen] - baseline)[:, None] * (np.eye(len(p))[chosen] - p)).mean(axis=0)
"""


def test_draws_that_agree_by_chance_do_not_pass_for_seeded_ones(bank: Bank) -> None:
    verdicts = {v.check: v for v in check_answer(bank["hard-gradient"], BY_CHANCE).verdicts}
    assert not verdicts["draws_differ"].passed
    assert verdicts["draws_differ"].misconception == "unseeded"
