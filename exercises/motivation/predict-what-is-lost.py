"""A GRU reads an English sentence into one vector, and from this vector alone a second GRU writes
the sentence in French. One such pair has a vector of 64 numbers, another a vector of 32. Both are
trained on sentences with up to six phrases. Tested on new sentences with six phrases, neither gets
every word right in more than 3 in 100 of them.

We look only at those translations that have a participle where it belongs, at the end.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-what-is-lost",
    chapter="motivation",
    title="Predict: what is kept?",
    version=2,
    questions=[
        choice(
            "gender_kept",
            "How many of these participles have the gender of their subject, the oldest word in "
            "the vector?",
            {
                "a": option(
                    "About 2 in 100 at both widths, like the sentences: a vector is either full or "
                    "not.",
                    failure_message="A vector of real numbers does not overflow like a box. "
                    "Training decides what is kept, and one part of a sentence can be right while "
                    "another is wrong.",
                    misconception="all-at-once",
                ),
                "b": option(
                    "About half at both widths: the models have forgotten the subject and guess.",
                    failure_message="This is often said of recurrent networks. It is not true of "
                    "64 numbers: with these, the gender is nearly always right, while other words "
                    "are wrong.",
                    misconception="oldest-is-lost",
                ),
                "c": option(
                    "Nearly all at both widths: a gender is one bit, and one bit always fits.",
                    failure_message="It fits, but training need not put it there. With 32 numbers "
                    "most sentences begin with the right noun, yet the participle at the end often "
                    "has the wrong gender.",
                    misconception="bits-decide",
                ),
                "d": option(
                    "Nearly all with 64 numbers, about two thirds with 32.",
                    correct=True,
                    success_message="Yes. What is kept depends on the width and on training, not "
                    "only on how many bits it takes.",
                ),
            },
        )
    ],
)
