"""Each map shows the weights of one head under a causal mask that somebody got wrong. Rows are
queries; columns are keys. In map 3, the queries are the last two of six tokens, as in decoding with
stored keys and values.
"""

from coursekit import choice, option, quiz

quiz(
    id="fault-in-a-map",
    chapter="workshop",
    title="Find the fault in a heat map",
    recalled=False,
    questions=[
        choice(
            "map_one",
            "What is wrong with the mask of map 1?",
            {
                "a": option(
                    "It is the mask of an encoder: everything is visible.",
                    failure_message="The upper right half is 0 in every row, so later keys are "
                    "hidden.",
                    misconception="no-mask",
                ),
                "b": option(
                    "It hides each token from itself.",
                    correct=True,
                    success_message="Yes: the diagonal is 0. The first token then has nothing to "
                    "attend to, and its whole row is 0.",
                ),
                "c": option(
                    "It was applied after the softmax.",
                    failure_message="Then rows would sum to less than 1. Here all rows but the "
                    "empty one sum to 1.",
                    misconception="mask-after-softmax",
                ),
                "d": option(
                    "It hides the first token as padding.",
                    failure_message="The first *key* has weight in every other row; it is the "
                    "first *query* that attends to nothing.",
                    misconception="row-for-column",
                ),
            },
        ),
        choice(
            "map_two",
            "What is wrong with the mask of map 2?",
            {
                "a": option(
                    "The mask was applied after the softmax.",
                    correct=True,
                    success_message="Yes: later keys have weight 0, but their share was not given "
                    "to visible keys. The first row sums to 0.19.",
                ),
                "b": option(
                    "The softmax was taken over the queries.",
                    failure_message="Then each column would sum to 1. The last one sums to 0.30.",
                    misconception="wrong-axis",
                ),
                "c": option(
                    "Nothing: it is a causal map.",
                    failure_message="The right keys are hidden. Now add up a row.",
                    misconception="zeros-are-enough",
                ),
                "d": option(
                    "Hidden scores were set to 0 instead of minus infinity.",
                    failure_message="Then hidden keys would keep some weight, as e⁰ is 1, and rows "
                    "would sum to 1.",
                    misconception="mask-as-zero",
                ),
            },
        ),
        choice(
            "map_three",
            "What is wrong with the mask of map 3?",
            {
                "a": option(
                    "It hides too little: the last query should not see all keys.",
                    failure_message="The last query is the last token, so nothing comes after it. "
                    "Here it sees two of six keys.",
                    misconception="last-query-sees-less",
                ),
                "b": option(
                    "Nothing: row i sees the first i keys.",
                    failure_message="That holds where queries and keys start at the same token. "
                    "These queries are tokens 5 and 6.",
                    misconception="rows-are-positions",
                ),
                "c": option(
                    "Queries and keys are swapped.",
                    failure_message="Then the map would have six rows and two columns.",
                    misconception="transposed",
                ),
                "d": option(
                    "The triangle is aligned at the top left instead of the bottom right.",
                    correct=True,
                    success_message="Yes: it treats the queries as tokens 1 and 2. As tokens 5 and "
                    "6, they should see five and six keys.",
                ),
            },
        ),
    ],
    hints=[
        "Which cells should be 0 under a causal mask, and what should each row sum to?",
        "Which token of the sentence is each query, and what is the last key it may see?",
    ],
)
