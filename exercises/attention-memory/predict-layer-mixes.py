"""Four models with equally many parameters have six layers each: all global; local and global in
turn; five local and then one global; all local. They read texts of 64 tokens: names, each followed
by a value. A name that recurs has the same value as before, and the model is asked for this value.
A local layer sees the newest 4 tokens, so six of them together reach 18 tokens back.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-layer-mixes",
    chapter="attention-memory",
    title="Predict: what does each mix find?",
    questions=[
        choice(
            "found",
            "A value was written 11 to 17 tokens ago. Which models find it?",
            {
                "a": option(
                    "Six global layers only: a single one has to share its weight.",
                    failure_message="One query looks for one value. A single layer can do that, "
                    "once the layers below it have put each name beside its value.",
                    misconception="one-global-is-too-few",
                ),
                "b": option(
                    "All four: 18 tokens are within reach of six local layers.",
                    failure_message="They could pass a value on from window to window. But "
                    "reaching a value does not mean that training finds a way to keep it.",
                    misconception="reach-is-recall",
                ),
                "c": option(
                    "All that have a global layer, even if it is the last of six.",
                    correct=True,
                    success_message="Yes: local layers suffice to put each name beside its value, "
                    "and one global layer to find it. Six local ones reach the value too, but "
                    "training did not teach ours to pass it on.",
                ),
                "d": option(
                    "Those in which at least half of the layers are global.",
                    failure_message="Work that needs neighbours only, such as putting a name "
                    "beside its value, is done by local layers. Only one lookup over a long "
                    "distance remains.",
                    misconception="half-must-be-global",
                ),
            },
        )
    ],
)
