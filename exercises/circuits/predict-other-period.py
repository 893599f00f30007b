"""Models A and B have the same layers and see texts of 48 tokens. Model A was trained on texts that
repeat every 16 tokens, model B on texts whose periods vary from 8 to 24. On texts of period 16 both
predict every repeated token correctly. In each, a head of layer 2 has the same map from the second
token of the second round on: it looks 15 places back.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-other-period",
    chapter="circuits",
    title="Predict: the same map, another text",
    questions=[
        choice(
            "period_11",
            "Both models now continue texts that repeat every 11 tokens. Which of them do so "
            "nearly without errors?",
            {
                "a": option(
                    "Both: each has a head that looks at what followed the current token",
                    failure_message="At period 16, what followed always stands 15 places back, so "
                    "these rows cannot tell a head that looks for it from one that counts places.",
                    misconception="map-is-mechanism",
                ),
                "b": option(
                    "Model B only",
                    correct=True,
                    success_message="Yes. For model A, “15 places back” was always right, and it "
                    "learned nothing else. Model B could not learn a fixed distance.",
                ),
                "c": option(
                    "Neither: the words are drawn at random for each text",
                    failure_message="They were in training, too. Both have learned something that "
                    "does not depend on the words; the question is what.",
                    misconception="random-words",
                ),
                "d": option(
                    "Model A only: it was trained on one period and knows it well",
                    failure_message="It knows period 16 well. Nothing in its training required it "
                    "to find out where a text began to repeat.",
                    misconception="specialist-transfers",
                ),
            },
        ),
        choice(
            "without_layer_1",
            "The period is 16 again. We switch off both heads of *layer 1*. Which model still "
            "continues the texts?",
            {
                "a": option(
                    "Neither: each needs both of its layers",
                    failure_message="To look a fixed number of places back, a head needs to know "
                    "no token at all, so one layer is enough for model A.",
                    misconception="all-layers-needed",
                ),
                "b": option(
                    "Both: the maps belong to heads of layer 2",
                    failure_message="A head of layer 2 finds the key after the same token only if "
                    "that key says which token comes before it. Where would the key get this from?",
                    misconception="last-layer-suffices",
                ),
                "c": option(
                    "Model A only",
                    correct=True,
                    success_message="Yes. In model B, layer 1 tells each position which token "
                    "precedes it, and layer 2 looks for that token. Model A counts places.",
                ),
            },
        ),
    ],
    hints=[
        "Which rules would give exactly these rows on a text of period 16? Find two.",
        "In model B, the query of a token has to match the key *after* the same token. What must "
        "that key know?",
    ],
)
