"""After 100 steps the typical distance is 10."""

from coursekit import numeric, quiz

quiz(
    id="twice-as-far",
    chapter="random-walks",
    title="Twice as far",
    questions=[
        numeric(
            "steps",
            "After how many steps is it 20?",
            answer=400,
            tolerance=0.5,
            points=2,
            mistakes={"linear": 200, "root": 141},
        )
    ],
    hints=["The typical distance after $n$ steps is $\\sqrt n$. Which $n$ has the root 20?"],
    misconceptions={
        "linear": "200 steps would do if the distance grew evenly. Its square does.",
        "root": "141 is 100·√2: the root was taken on the wrong side. Square the distance.",
    },
)
