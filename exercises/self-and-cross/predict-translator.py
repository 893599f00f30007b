"""A translator reads the 7 tokens *the apple, under, the tree, behind, the house, had been, picked*
and writes 8: *la pomme, sous, l'arbre, derrière, la maison, avait été, ramassée* and a mark for the
end. For each token that it writes, a query looks at what was made of the tokens that were read.
"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="predict-translator",
    chapter="self-and-cross",
    title="Predict: a translator's weights",
    questions=[
        numeric(
            "shape",
            "What is the shape of the matrix of weights?",
            answer=[8, 7],
            tolerance=0,
            success_message="Eight tokens ask, seven are asked.",
            mistakes={"transposed": [7, 8], "square": [8, 8], "square-source": [7, 7]},
        ),
        choice(
            "longer_source",
            "The same translation of a sentence with one word more. What changes?",
            {
                "a": option(
                    "The output has a row more",
                    failure_message="Rows belong to those who ask, and these are still eight.",
                    misconception="rows-follow-source",
                ),
                "b": option(
                    "The weights have a column more, and the output keeps its shape",
                    correct=True,
                    success_message="Yes. Each query shares out its weight among one key more.",
                ),
                "c": option(
                    "The weight matrices of the layer have a row more",
                    failure_message="They turn one token into one query, key or value. How many "
                    "tokens there are is nothing to them.",
                    misconception="parameters-grow",
                ),
            },
        ),
        choice(
            "picked",
            "Where will the row of *ramassée*, which has to agree with *pomme*, have its weight?",
            {
                "a": option(
                    "on *the apple*, with which it agrees",
                    failure_message="So the pictures say. This model gets the gender another way, "
                    "which the text below measures.",
                    misconception="weight-is-cause",
                ),
                "b": option(
                    "on *picked*, which it translates",
                    correct=True,
                    success_message="Yes: 0.98 of it. The gender comes another way, which the "
                    "text below measures.",
                ),
                "c": option(
                    "half on each",
                    failure_message="One head could do that. This one looks at the word that it "
                    "translates.",
                    misconception="half-half",
                ),
            },
        ),
    ],
    hints=["Who asks gets a row, who is asked gets a column."],
    misconceptions={
        "transposed": "Rows are those who ask: the tokens that are written.",
        "square": "That would be the written sentence looking at itself.",
        "square-source": "That would be the sentence that was read looking at itself.",
    },
)
