"""Three questions on the previous chapter, from memory. Trying to remember helps more than
rereading the chapter, even if your answer is wrong.
"""

from coursekit import choice, option, quiz

quiz(
    id="recall-queries-keys-values",
    chapter="queries-keys-values",
    title="Before you start",
    version=2,
    questions=[
        choice(
            "agreement",
            "*Une pomme qui était par terre dans le jardin depuis des semaines avait finalement "
            "été ramass**ée**.* Which word decides the ending of *ramassée*?",
            {
                "a": option(
                    "*semaines*, the nearest noun before it",
                    failure_message="*semaines* is feminine too, but plural, and would give "
                    "*ramassées*. The participle agrees with its subject, not with its neighbour.",
                    misconception="nearest-word",
                ),
                "b": option(
                    "*apple*, in the English sentence",
                    failure_message="English nouns have no gender. A translator has to know the "
                    "gender of the French word that it chose.",
                    misconception="gender-in-the-source",
                ),
                "c": option(
                    "*été*, the word just before it",
                    failure_message="*été* has the same form for every subject, so it carries no "
                    "gender.",
                    misconception="nearest-word",
                ),
                "d": option(
                    "*pomme*, the subject, far back in the sentence",
                    correct=True,
                    success_message="Yes. The subject is far away, with three other nouns in "
                    "between.",
                ),
            },
        ),
        choice(
            "bottleneck",
            "A recurrent encoder reads a sentence and passes on **one** vector of fixed width. "
            "What did our translators lose as sentences grew longer?",
            {
                "a": option(
                    "The first word's gender before anything else: it is the oldest thing in the "
                    "vector.",
                    failure_message="With 64 numbers the gender was nearly always right while "
                    "other words were wrong. With 32 numbers it was often wrong. Age does not "
                    "decide what is lost.",
                    misconception="oldest-is-lost",
                ),
                "b": option(
                    "More and more of the words; how soon depends on the width of the vector.",
                    correct=True,
                    success_message="Yes. Of the sentences with six phrases, far more were right "
                    "with 128 numbers than with 64.",
                ),
                "c": option(
                    "Nothing: longer sentences get longer vectors.",
                    failure_message="The width is fixed when the model is built. That is why it is "
                    "called a bottleneck.",
                    misconception="vector-grows",
                ),
                "d": option(
                    "Only the last words: the encoder ignores them by then.",
                    failure_message="The encoder updates the vector at every word, including the "
                    "last.",
                    misconception="forgets-the-end",
                ),
            },
        ),
        choice(
            "reach",
            "What decides how far apart two words may be for a stack of convolutions *without "
            "gaps* to relate them?",
            {
                "a": option(
                    "How long the model was trained",
                    failure_message="Training changes the numbers in the kernel. A word outside "
                    "the reach is multiplied by none of them.",
                    misconception="training-extends-reach",
                ),
                "b": option(
                    "The number of features of each word",
                    failure_message="More features let the model say more about each word, not see "
                    "further.",
                    misconception="width-is-reach",
                ),
                "c": option(
                    "The width of the kernel and the number of layers",
                    correct=True,
                    success_message="Yes. Each layer adds the kernel's width minus one; beyond "
                    "that the second word does not enter the sum at all.",
                ),
                "d": option(
                    "Nothing: a convolution runs over the whole sentence",
                    failure_message="It runs over all positions but sees only the words under its "
                    "kernel at each.",
                    misconception="sliding-is-seeing",
                ),
            },
        ),
    ],
)
