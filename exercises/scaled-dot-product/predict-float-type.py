"""`scores` is an array of `float32`, and you scale it as many tutorials do:

```python
d_k = 64
scores = scores / np.sqrt(d_k)
```
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-float-type",
    chapter="scaled-dot-product",
    title="Predict: which type comes out?",
    questions=[
        choice(
            "float_type",
            "What is `scores.dtype` afterwards, in NumPy 2?",
            {
                "a": option(
                    "`float32`: dividing by one number changes nothing",
                    failure_message="That was so in NumPy 1. In NumPy 2 a NumPy scalar counts like "
                    "an array, and `np.sqrt(64)` is a `float64`.",
                    misconception="scalars-do-not-count",
                ),
                "b": option(
                    "`float16`: 64 is small enough",
                    failure_message="A type never shrinks because a number is small. The wider of "
                    "the two types wins.",
                    misconception="value-based",
                ),
                "c": option(
                    "It depends on whether the root is a whole number",
                    failure_message="`np.sqrt(64)` is exactly 8.0 but still a `float64`. The type "
                    "counts, not the value.",
                    misconception="value-based",
                ),
                "d": option(
                    "`float64`",
                    correct=True,
                    success_message="Yes: `np.sqrt` of a Python int returns a `float64`, and the "
                    "result takes the wider type. Every later array needs twice the memory.",
                ),
            },
        )
    ],
)
