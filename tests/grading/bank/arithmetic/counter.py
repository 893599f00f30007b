"""Write a class `Counter`: `Counter(start)`, `add(n)`, and the attribute `total`."""

from coursekit import check, exercise, expect

exercise(title="A counter", hints=["What must an instance remember?"])


class Counter:
    """Counts."""

    # BEGIN SOLUTION
    def __init__(self, start=0):
        self.total = start

    def add(self, n):
        self.total += n
        return self.total

    # END SOLUTION


MISTAKES = r"""
forgets:
    Each call began anew.
"""


@check(points=2)
def counts(Counter):
    """Counts on from its start"""
    counter = Counter(3)
    expect(counter.add(4) == 7, "Counter(3).add(4) is not 7.")
    expect(counter.add(1) == 8, "It forgot what was added before.", "forgets")
    expect(counter.total == 8, "`total` is not what was counted.")
