"""The 12-layer model with the norm last is trained again without any warm-up: at a learning rate of
0.0003, a tenth of the earlier rate, and for 1600 steps instead of 400.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-small-steps",
    chapter="transformer",
    title="Predict: small steps for the second model",
    questions=[
        choice(
            "patient",
            "How far does it get now?",
            {
                "a": option(
                    "nowhere: at this depth, the norm's position decides",
                    failure_message="The norm's position makes large first steps harmful. It does "
                    "not rule out small steps.",
                    misconception="place-decides",
                ),
                "b": option(
                    "about half of the way",
                    failure_message="It would seem so after fewer steps. After 1600 steps, "
                    "nothing holds it back.",
                    misconception="half-trained",
                ),
                "c": option(
                    "as far as the model with the norm first",
                    correct=True,
                    success_message="Yes: it ends 0.03 nats above the best possible loss. One "
                    "learning rate and one number of steps do not show what can be trained.",
                ),
            },
        ),
    ],
    hints=["What is it about the first steps that harms a model with the norm last?"],
)
