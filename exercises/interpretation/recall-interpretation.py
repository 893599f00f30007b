"""Three questions on earlier chapters, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-interpretation",
    chapter="interpretation",
    title="Before you start",
    questions=[
        numeric(
            "number_of_maps",
            "A model has 4 layers of 8 heads each. How many matrices of weights does it compute "
            "for one sentence?",
            answer=32,
            tolerance=0.0,
            success_message="One for each head of each layer, 4 · 8.",
            mistakes={
                "one-per-layer": 4,
                "one-layer": 8,
                "added": 12,
                "three-for-each-head": 96,
                "four-for-each-head": 128,
                "squared": 64,
            },
        ),
        choice(
            "what_a_weight_multiplies",
            "In the second layer of an encoder, query *picked* gives key *apple* weight 0.5. "
            "What is multiplied by 0.5?",
            {
                "a": option(
                    "The embedding of the word *apple*",
                    failure_message="That was so in the first layer. The second reads what the "
                    "first wrote, where the words are already mixed.",
                    misconception="values-are-words",
                ),
                "b": option(
                    "The value at the position of *apple*, computed from the first layer's output "
                    "there",
                    correct=True,
                    success_message="Yes. That vector may contain as much of other words as of "
                    "*apple*.",
                ),
                "c": option(
                    "The score of *apple*",
                    failure_message="The score has done its work: softmax turned it into the "
                    "weight. Weights multiply values.",
                    misconception="weights-times-scores",
                ),
                "d": option(
                    "The output of the layer at *apple*",
                    failure_message="The output at *picked* is what is being computed; the output "
                    "at *apple* is another row.",
                    misconception="rows-mixed-up",
                ),
            },
        ),
        choice(
            "mean_of_heads",
            "The mean of all heads shows a clear line from *it* to *cat*. What follows about the "
            "heads?",
            {
                "a": option(
                    "Every head draws that line",
                    failure_message="One head with a weight of 1 among many near 0 gives a "
                    "visible mean too.",
                    misconception="mean-is-each",
                ),
                "b": option(
                    "The model reads the mean, so it uses that line",
                    failure_message="No part of the model computes the mean. Heads are "
                    "concatenated and mixed by a matrix.",
                    misconception="heads-are-averaged",
                ),
                "c": option(
                    "At least one head puts weight there; which ones do, and whether it matters, "
                    "is open",
                    correct=True,
                    success_message="Yes. Look at the heads one by one, and then test what they "
                    "do.",
                ),
                "d": option(
                    "There is one head whose task is to find what pronouns stand for",
                    failure_message="It may be several, or one for which this sentence is a "
                    "coincidence. One sentence cannot tell.",
                    misconception="one-sentence",
                ),
            },
        ),
    ],
    misconceptions={
        "one-per-layer": "4 counts the layers. Each has 8 heads, and each head has its own "
        "weights.",
        "three-for-each-head": "96 is three for each head, as there are matrices for queries, keys "
        "and values. These are learned; a head computes one matrix of weights from them.",
        "four-for-each-head": "128 is four for each head. A head computes one matrix of weights.",
        "squared": "64 is 8 · 8. Each of the 4 layers has 8 heads.",
        "one-layer": "8 is the number in one layer. There are four layers.",
        "added": "12 is 4 + 8. Each of the 4 layers has 8 heads.",
    },
)
