"""*The apple under the tree behind the house had been picked* becomes *la pomme sous l'arbre
derrière la maison avait été ramassée*. Three Transformers, trained from different seeds, translate
such sentences without an error.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-swapped-noun",
    chapter="interpretation",
    title="Predict: the swapped noun",
    questions=[
        choice(
            "which_noun",
            "Which swap changes the gender of the participle?",
            {
                "a": option(
                    "That of the last noun: it is next to the verb",
                    failure_message="Then the models would be wrong in half of the sentences. "
                    "They make no errors.",
                    misconception="nearest-noun",
                ),
                "b": option(
                    "Both, each in some of the sentences",
                    failure_message="A model that mixed the two up would make errors. These make "
                    "none.",
                    misconception="both-nouns",
                ),
                "c": option(
                    "That of the subject, in nearly all sentences",
                    correct=True,
                    success_message="Yes, in all of them, in every seed: a translator without "
                    "errors has to follow the subject.",
                ),
            },
        ),
        choice(
            "which_attention",
            "And where do the three Transformers look while they write the participle?",
            {
                "a": option(
                    "All at the English subject, since it is the word to translate from",
                    failure_message="Only one seed does. The French subject, already written, has "
                    "the gender as well.",
                    misconception="source-only",
                ),
                "b": option(
                    "All at the French subject, since the French noun has the gender",
                    failure_message="Two seeds do. The third gets the gender from the English "
                    "noun, whose French gender it has learned.",
                    misconception="words-only",
                ),
                "c": option(
                    "None at a subject: the gender is carried along from word to word",
                    failure_message="A recurrent network can do that. In a Transformer everything "
                    "that passes between words has to go through attention.",
                    misconception="carried-along",
                ),
                "d": option(
                    "Some at the French subject and some at the English one",
                    correct=True,
                    success_message="Yes. Both words determine the gender, and the seeds have "
                    "learned to use different ones.",
                ),
            },
        ),
    ],
    hints=["Which words, in which language, determine the gender of the participle?"],
)
