"""Three models: what has to be hidden from each?"""

from coursekit import choice, option, quiz

quiz(
    id="which-mask",
    chapter="gpt-and-bert",
    title="Which mask?",
    questions=[
        choice(
            "search",
            "A model gets a whole question and has to turn it into vectors, one for each token. It "
            "never writes. Which mask suits it?",
            {
                "a": option(
                    "causal",
                    failure_message="It would work, but the first words would know nothing about "
                    "the last ones. The whole question is there from the start.",
                    misconception="always-causal",
                ),
                "b": option(
                    "only a padding mask",
                    correct=True,
                    success_message="Yes: bidirectional, as in BERT.",
                ),
                "c": option(
                    "causal for the first half, none for the second",
                    failure_message="No part of the question has to be hidden.",
                    misconception="prefix-mask",
                ),
            },
        ),
        choice(
            "no_mask",
            "A model without a causal mask is trained to predict the next token at each position. "
            "What happens?",
            {
                "a": option(
                    "it learns more slowly, as the task is harder",
                    failure_message="It is easier: the answer is in the input, one position to the "
                    "right.",
                    misconception="harder-without-mask",
                ),
                "b": option(
                    "nothing special: the loss takes care of the order",
                    failure_message="The loss says what is to be predicted. The mask says what the "
                    "prediction may use.",
                    misconception="loss-hides",
                ),
                "c": option(
                    "it cannot be trained, as the shapes differ",
                    failure_message="A mask does not change any shape.",
                    misconception="mask-changes-shape",
                ),
                "d": option(
                    "the loss falls to nearly 0, and the model cannot write",
                    correct=True,
                    success_message="Yes: it learns to copy the next token, which is not there "
                    "when it writes.",
                ),
            },
        ),
        choice(
            "translator",
            "How many of the three attentions of an encoder-decoder have a causal mask?",
            {
                "a": option(
                    "one",
                    correct=True,
                    success_message="Yes, the decoder's self-attention. The whole source is "
                    "already there.",
                ),
                "b": option(
                    "two: both in the decoder",
                    failure_message="Cross-attention sees the source, and none of it lies in "
                    "the future.",
                    misconception="cross-is-causal",
                ),
                "c": option(
                    "all three",
                    failure_message="The source is complete when the translation begins. Hiding "
                    "half of it does not help.",
                    misconception="always-causal",
                ),
            },
        ),
    ],
    hints=["When a token is processed, which other tokens are already there?"],
)
