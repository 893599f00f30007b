"""Put lines in order: some commute, one does not belong, two are indented."""

from coursekit import parsons, quiz


def works(code):
    """Whether the lines compute the mean of the squares."""
    names = {"numbers": [1, 2, 3]}
    exec(code, names)
    return names["mean"] == 14 / 3


quiz(
    id="order-lines",
    chapter="sampler",
    title="Lines to put in order",
    questions=[
        parsons(
            "order",
            "Compute the `mean` of the squares of `numbers`.",
            lines={
                "a": "mean = total / count",
                "b": "square = number * number",
                "c": "total = square",
                "d": "for number in numbers:",
                "e": "count = len(numbers)",
                "f": "total = total + square",
                "g": "total = 0",
            },
            orders=["g d >b >f e a", "g e d >b >f a", "e g d >b >f a"],
            mistakes={
                "overwrites": "c",
                "restarts": "d >g",
                "outside": "d |f",
                "too-late": "d |g",
                "begins-nowhere": "!g",
            },
            absent={
                "g": "the zero that the total begins with",
                "d": "the loop",
                "b": "the square",
                "f": "the sum",
                "e": "the count",
                "a": "the division",
            },
            works=works,
            success_message="The total grows by one square in each turn.",
            points=2,
        )
    ],
    hints=["What has to exist before the loop?"],
    misconceptions={
        "overwrites": "`total = square` forgets the squares before.",
        "restarts": "The total starts again in each turn.",
        "outside": "The square is added outside of the loop.",
        "too-late": "The total is set to 0 after the loop has begun.",
        "begins-nowhere": "The total has no value before the first turn.",
    },
)
