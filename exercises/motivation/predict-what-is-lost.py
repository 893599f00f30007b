"""A GRU reads *the apple under the tree behind the garden had been picked* into one vector of
64 numbers. From that vector alone a second GRU writes the whole sentence in French. Both are
trained on sentences with up to six phrases. Tested on new sentences with six phrases, they get
only 2 in 100 right in every word.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-what-is-lost",
    chapter="motivation",
    title="Predict: what is kept?",
    questions=[
        choice(
            "gender_kept",
            "In the translations of these six-phrase sentences, how many participles have the "
            "gender of their subject?",
            {
                "a": option(
                    "About 2 in 100, like the sentences: a vector is either full or not.",
                    failure_message="A vector of real numbers does not overflow like a box. "
                    "Training decides what to keep, and a single bit is cheap to keep.",
                    misconception="all-at-once",
                ),
                "b": option(
                    "About half: the subject is the oldest word in the vector, so the model "
                    "guesses.",
                    failure_message="That is what is often said of recurrent networks. But the "
                    "ending needs only one bit of the subject. Compare that with what all the "
                    "other words need.",
                    misconception="gender-first",
                ),
                "c": option(
                    "About 90 in 100, although nearly every sentence has a wrong word.",
                    correct=True,
                    success_message="Yes. The gender is one bit, and it is kept. Each noun is one "
                    "of 40, which takes more than five bits; six phrases with their prepositions "
                    "take more than forty.",
                ),
                "d": option(
                    "All of them: what occurs in training is kept.",
                    failure_message="Six phrases occurred in training, and still nearly every "
                    "sentence has a wrong word. Training can only use the room that there is.",
                    misconception="training-suffices",
                ),
            },
        ),
    ],
)
