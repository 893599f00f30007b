"""Put lines in order: some commute, one does not belong, two are indented."""

from coursekit import quiz


def works(code):
    """Whether the lines compute the mean of the squares."""
    names = {"numbers": [1, 2, 3]}
    exec(code, names)
    return names["mean"] == 14 / 3


quiz(
    title="Lines to put in order",
    hints=["What has to exist before the loop?"],
    works=works,
    questions=r"""
## order (2 points)
Compute the `mean` of the squares of `numbers`.
```lines
a mean = total / count
b square = number * number
c total = square
d for number in numbers:
e count = len(numbers)
f total = total + square
g total = 0
```
- [x] g d >b >f e a > The total grows by one square in each turn.
- [x] g e d >b >f a
- [x] e g d >b >f a
- [ ] c > overwrites: `total = square` forgets the squares before.
- [ ] d >g > restarts: The total starts again in each turn.
- [ ] d |f > outside: The square is added outside of the loop.
- [ ] d |g > too-late: The total is set to 0 after the loop has begun.
- [ ] !g > begins-nowhere: The total has no value before the first turn.
""",
)
