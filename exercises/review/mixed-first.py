"""Five questions from different chapters, in no particular order. Nothing says which chapter a
question belongs to: finding that out is half of the answer.
"""

from coursekit import Picture, choice, numeric, option, quiz

quiz(
    id="mixed-first",
    chapter="review",
    title="Mixed questions, first round",
    questions=[
        numeric(
            "first_weight",
            "A query has the dot products 3, 0 and 0 with three keys of width 9. The layer scales "
            "its scores. What weight does the first key get? Two decimals are enough.",
            answer=0.5761,
            tolerance=0.005,
            picture=Picture(
                "weights",
                ["key 1", "key 2", "key 3"],
                {
                    "unscaled": [0.909, 0.045, 0.045],
                    "by-d": [0.411, 0.294, 0.294],
                    "uniform": [0.333, 0.333, 0.333],
                    "two-way": [0.731, 0.269, None],
                    "exact": [1, 0, 0],
                    "right": [0.576, 0.212, 0.212],
                },
            ),
            success_message="The scores are 3/√9 = 1, 0 and 0, and e/(e + 2) = 0.576.",
            failure_message="That is not it. Divide the dot products by √9, then take the "
            "exponential of each and divide by the sum of all three.",
            mistakes={
                "unscaled": 0.9094,
                "by-d": 0.4110,
                "uniform": 0.3333,
                "two-way": 0.7311,
                "exact": 1,
            },
        ),
        choice(
            "same_words",
            "A self-attention layer without positions and without a mask reads *dog bites man*, "
            "then *man bites dog*. How does the output at *dog* differ?",
            {
                "a": option(
                    "It is now what the output at *man* was before",
                    failure_message="That would be so if outputs belonged to places. A query "
                    "belongs to its word: *dog* has the same query in both sentences.",
                    misconception="order-is-seen",
                ),
                "b": option(
                    "It differs a little, because *dog* has other neighbours",
                    failure_message="Neighbours are not known here. The query is compared with "
                    "the same three keys, and the same three values are summed.",
                    misconception="values-know-places",
                ),
                "c": option(
                    "It does not differ",
                    correct=True,
                    success_message="Yes. The same query, the same keys, the same values: a sum "
                    "does not depend on the order of its terms. Only positions change that.",
                ),
            },
        ),
        choice(
            "cut_after",
            "A program computes the weights of four keys and then multiplies the weight of a "
            "padding key by 0. What is wrong with the output?",
            {
                "a": option(
                    "The values of the other keys get too little weight in all",
                    correct=True,
                    success_message="Yes: the remaining weights sum to 1 minus what the padding "
                    "key had. A mask belongs before the softmax, which then normalises.",
                ),
                "b": option(
                    "Nothing: a weight of 0 is a weight of 0",
                    failure_message="The padding key is out of the sum, but its score has already "
                    "decided how large the other weights are. What do these sum to?",
                    misconception="zero-after-softmax",
                ),
                "c": option(
                    "The value of the padding key is still mixed in",
                    failure_message="Its weight is 0, so its value is not. Look at the other "
                    "weights: what do they sum to?",
                    misconception="hidden-still-counts",
                ),
                "d": option(
                    "It is NaN",
                    failure_message="NaN comes from 0/0, when *no* key is left before the "
                    "softmax. Here three keys are left, and nothing is divided afterwards.",
                    misconception="nan-row",
                ),
            },
        ),
        numeric(
            "weights_of_a_layer",
            "A layer of width 12 has 3 heads of width 5 for queries, keys and values, and no "
            "biases. How many numbers are there in $W^Q$, $W^K$, $W^V$ and $W^O$ together?",
            answer=720,
            tolerance=0.5,
            success_message="Three matrices of 12 × 15 and one of 15 × 12: 4 · 180. The width of "
            "a head need not be 12/3.",
            failure_message="That is not it. Three heads of width 5 make 15 columns in each of "
            "the matrices of queries, keys and values. What shape does the output matrix need?",
            mistakes={
                "square": 576,
                "three-matrices": 540,
                "one-matrix": 180,
                "one-head": 240,
                "square-heads": 765,
            },
        ),
        choice(
            "rows_of_cross",
            "A translator has read 5 English tokens and written 7 French ones. What shape do the "
            "weights of one head of its cross-attention have?",
            {
                "a": option(
                    "`(5, 7)`",
                    failure_message="Rows belong to queries. Which of the two sentences asks?",
                    misconception="rows-are-keys",
                ),
                "b": option(
                    "`(7, 5)`",
                    correct=True,
                    success_message="Yes: a row for each of the 7 queries, which come from the "
                    "French side, and a column for each English token.",
                ),
                "c": option(
                    "`(7, 7)`",
                    failure_message="That is the decoder's self-attention. In cross-attention "
                    "the keys come from the other sentence.",
                    misconception="square",
                ),
                "d": option(
                    "`(12, 12)`",
                    failure_message="The two sequences are not joined into one: one supplies the "
                    "queries, the other the keys and values.",
                    misconception="both-as-one",
                ),
            },
        ),
    ],
    misconceptions={
        "unscaled": "0.909 comes from the dot products 3, 0 and 0 themselves. This layer divides "
        "them by √9 first.",
        "by-d": "0.411 comes from dividing by 9, the width. The scale is its root.",
        "uniform": "0.333 is what each of three keys gets if all scores are equal.",
        "two-way": "0.731 is the weight among two keys. There are three: both others have "
        "score 0, and each adds e⁰ = 1 to the sum.",
        "exact": "The best key does not take all: the others have score 0, whose exponential is 1.",
        "square": "576 is 4 · 12 · 12. The heads together are 15 wide, not 12.",
        "three-matrices": "540 counts the three matrices of queries, keys and values. One is "
        "missing.",
        "one-matrix": "180 is one matrix of 12 by 15. There are four.",
        "one-head": "240 is what one head of width 5 needs. There are three heads.",
        "square-heads": "In 765 the last matrix is 15 by 15. It has to lead back to width 12.",
    },
)
