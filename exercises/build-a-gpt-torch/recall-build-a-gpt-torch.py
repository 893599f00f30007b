"""Three questions on earlier chapters, from memory. If you are not sure, guess."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-build-a-gpt-torch",
    chapter="build-a-gpt-torch",
    title="Before you start",
    questions=[
        numeric(
            "recall_guessing",
            "A model gives each of 172 words the same probability. What is its loss, in nats per "
            "word?",
            answer=5.147,
            tolerance=0.01,
            success_message="ln 172: an untrained model should start near it.",
            mistakes={"probability": 1 / 172, "bits": 7.426, "decimal": 2.2355},
        ),
        choice(
            "recall_adds",
            "In a block that normalises first, what does the feed-forward network read, and what "
            "happens to its result?",
            {
                "a": option(
                    "it reads the stream after attention, normalised; its result is added",
                    correct=True,
                    success_message="Yes. The stream itself is never normalised on the way.",
                ),
                "b": option(
                    "it reads the stream after attention, normalised; its result replaces it",
                    failure_message="Then the embedding and all earlier results would be gone. A "
                    "sublayer adds to the stream.",
                    misconception="stream-replaced",
                ),
                "c": option(
                    "it reads the output of attention alone; its result is added",
                    failure_message="The output of attention has been added to the stream, and the "
                    "network reads the sum.",
                    misconception="attention-alone",
                ),
            },
        ),
        choice(
            "recall_mean_loss",
            "A model of fables has a loss 0.006 nats per word above the best possible one. What "
            "does that say about a question that each fable of 112 words asks once?",
            {
                "a": option(
                    "its answer is right in more than 99 of 100 fables",
                    failure_message="0.006 nats is a mean over 112 words. One of these words may "
                    "cost 112 times as much.",
                    misconception="mean-for-each",
                ),
                "b": option(
                    "nothing: it could toss a coin there",
                    correct=True,
                    success_message="Yes: ln 2 / 112 is 0.006. Only asking the question itself can "
                    "tell.",
                ),
                "c": option(
                    "the answer is wrong; otherwise the gap would be 0",
                    failure_message="The gap can come from any of the words.",
                    misconception="distance-is-there",
                ),
            },
        ),
    ],
    misconceptions={
        "probability": "That is the probability. The loss is minus its logarithm.",
        "bits": "That is in bits. A loss in nats uses the natural logarithm.",
        "decimal": "That is the logarithm to base 10.",
    },
)
