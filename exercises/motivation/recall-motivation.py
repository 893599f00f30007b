"""Three questions on what the formula needs: a matrix product, the state of a recurrent network
and a weighted mean.
"""

from coursekit import Picture, choice, numeric, option, quiz

quiz(
    id="recall-motivation",
    chapter="motivation",
    title="Before the formula",
    questions=[
        numeric(
            "product_shape",
            "A has shape `(3, 7)` and B has shape `(7, 5)`. What is the shape of `A @ B`? Write "
            "the two numbers.",
            answer=[3, 5],
            tolerance=0.0,
            picture=Picture("shape"),
            success_message="The inner 7 is summed over; the outer numbers stay.",
            mistakes={
                "inner-kept": [7, 7],
                "swapped": [5, 3],
                "first-kept": [3, 7],
                "second-kept": [7, 5],
                "first-transposed": [7, 3],
                "sizes-multiplied": [21, 35],
            },
        ),
        choice(
            "recurrent_state",
            "A recurrent network with a state of width 64 reads a sentence of 10 words, then one "
            "of 40. How wide is its state after each?",
            {
                "a": option(
                    "64 after both",
                    correct=True,
                    success_message="Yes. The state is overwritten with each word; it never grows.",
                ),
                "b": option(
                    "640 and 2560: one state for each word",
                    failure_message="There was one state after each word, but a plain recurrent "
                    "network keeps only the last. Keeping all of them is the idea of this chapter.",
                    misconception="keeps-all-states",
                ),
                "c": option(
                    "64 and 256: longer sentences need more",
                    failure_message="They may need more but do not get it: the width is part of "
                    "the network's weights and fixed once it is built.",
                    misconception="width-grows",
                ),
                "d": option(
                    "10 and 40, the number of words",
                    failure_message="The width says how many numbers the state holds and has "
                    "nothing to do with the length of the sentence.",
                    misconception="width-is-length",
                ),
            },
        ),
        choice(
            "weighted_mean",
            "Which of these is a **weighted mean** of the numbers 0 and 10 with positive weights "
            "that sum to 1?",
            {
                "a": option(
                    "−2",
                    failure_message="It lies outside 0 to 10. Positive weights that sum to 1 "
                    "cannot leave the range of what they average.",
                    misconception="outside",
                ),
                "b": option(
                    "10.5",
                    failure_message="Weights of 0 and 1.05 would give it, but 1.05 is more than 1.",
                    misconception="sum-above-one",
                ),
                "c": option(
                    "7.5",
                    correct=True,
                    success_message="Yes: 0.25 · 0 + 0.75 · 10.",
                ),
                "d": option(
                    "20",
                    failure_message="That is twice the larger number. A mean stays between the "
                    "numbers.",
                    misconception="sum-above-one",
                ),
            },
        ),
    ],
    misconceptions={
        "first-transposed": "That is the shape of A with its rows and columns exchanged. The 7 is "
        "summed over, and the columns come from B.",
        "sizes-multiplied": "These are the numbers of elements of A and of B. The product has the "
        "rows of A and the columns of B.",
        "inner-kept": "7 is the inner size. It disappears: the product sums over it.",
        "swapped": "The two numbers are right, in the wrong order: rows come from A, columns from "
        "B.",
        "first-kept": "That is the shape of A. The 7 is summed over, and the columns come from B.",
        "second-kept": "That is the shape of B. The 7 is summed over, and the rows come from A.",
    },
)
