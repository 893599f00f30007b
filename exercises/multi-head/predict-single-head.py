"""A model has to find two words of a sentence: the first, which has the gender, and the verb at
the end. To each score a head adds a number that grows or falls with the position. Training may
change how fast. The models are trained on sentences with up to 4 phrases between the two words, and
tested on up to 12.
"""

from coursekit import quiz

quiz(
    title="Predict: one head for two tasks, and two heads that start alike",
    hints=[
        "What do the two words' shares of the weight depend on, besides their scores?",
        "Training changes slopes, queries and keys step by step, from where they start.",
    ],
    questions=r"""
## one_head
One model has a single head, which starts with a preference for the beginning of the sentence. What
does it learn?
- [ ] Only one of the two: it finds the gender and guesses the verb, at all lengths
  > always-one: It divides its weight between the two, and with up to 4 phrases every participle is
    right.
- [ ] Both, at all lengths: the matrices behind it undo the mixing
  > mixing-is-undone: Up to 4 phrases they do. In longer sentences the two words get different
    shares of the weight, but the matrices are still the same.
- [x] Both, but only at the lengths of its training
  > Yes. It divides its weight between the two words, and each further phrase shifts the shares.

## two_alike
Nine models have two heads that start alike: both with a preference for the end, both with one for
the beginning, or both without, three models each. How many of the nine are right with 12 phrases,
too?
- [ ] All nine: training moves the heads apart, since one word alone is not enough
  > training-divides-work: In some models it does, in others not. The figure and the table show
    which.
- [x] Some of them, and it depends on chance > Yes: in each group of three, one model is.
- [ ] None: heads that start alike stay alike
  > alike-stays-alike: Only their preference is the same. Their random queries and keys differ, so
    training can move them apart, and in some models it does.
""",
)
