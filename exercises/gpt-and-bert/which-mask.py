"""Three trained models. Say which mask and which loss fit."""

from coursekit import choice, option, quiz

quiz(
    id="which-mask",
    chapter="gpt-and-bert",
    title="Which mask, which loss?",
    questions=[
        choice(
            "search",
            "A model gets a whole question and has to turn it into vectors, one for each token. It "
            "never writes. Which mask suits it?",
            {
                "a": option(
                    "causal",
                    failure_message="It would work, but the first words would know nothing of the "
                    "last ones. The whole question is there from the start.",
                    misconception="always-causal",
                ),
                "b": option(
                    "none but the padding's",
                    correct=True,
                    success_message="Yes: bidirectional, as in BERT.",
                ),
                "c": option(
                    "causal for the first half, none for the second",
                    failure_message="Nothing of the question has to be hidden from anything.",
                    misconception="prefix-mask",
                ),
            },
        ),
        choice(
            "no_mask",
            "A model without a causal mask is trained to predict the next token at each place. "
            "What happens?",
            {
                "a": option(
                    "it learns more slowly, as the task is harder",
                    failure_message="It is easier: the answer stands in the input, one place to "
                    "the right.",
                    misconception="harder-without-mask",
                ),
                "b": option(
                    "nothing special: the loss takes care of the order",
                    failure_message="The loss says what is to be predicted. The mask says what "
                    "may be used for it.",
                    misconception="loss-hides",
                ),
                "c": option(
                    "it cannot be trained, as the shapes differ",
                    failure_message="A mask changes no shape.",
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
                    success_message="Yes, the decoder's self-attention. The source is there as a "
                    "whole.",
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
    hints=["When a token is processed, which other tokens are there already?"],
)
