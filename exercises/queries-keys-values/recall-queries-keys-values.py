"""Three questions on the chapter before, from memory. Trying to remember helps more than reading
the chapter again, even where an answer is wrong.
"""

from coursekit import quiz

quiz(
    title="Before you start",
    version=2,
    questions=r"""
## agreement
*Une pomme qui était par terre dans le jardin depuis des semaines avait finalement été
ramass**ée**.* Which word decides the ending of *ramassée*?
- [ ] *semaines*, the nearest noun before it
  > nearest-word: *semaines* is feminine too, but plural, and would give *ramassées*. The participle
    agrees with its subject, not with its neighbour.
- [ ] *apple*, in the English sentence
  > gender-in-the-source: English nouns have no gender. A translator has to know the gender of the
    word that it chose in French.
- [ ] *été*, the word just before it
  > nearest-word: *été* has the same form for every subject, so it carries no gender.
- [x] *pomme*, the subject, far back in the sentence
  > Yes. The subject stands far away, with three other nouns in between.

## bottleneck
A recurrent encoder reads a sentence and passes on **one** vector of fixed width. What did our
translators lose as sentences grew?
- [ ] The first word's gender before anything else: it is the oldest thing in the vector.
  > oldest-is-lost: With 64 numbers the gender was nearly always right while other words were wrong.
    With 32 numbers it was often wrong. Age does not decide it.
- [x] More and more of the words; how soon depends on the width of the vector.
  > Yes. With 64 numbers six phrases were too much; with 128 about half of such sentences were
    right.
- [ ] Nothing: longer sentences get longer vectors.
  > vector-grows: The width is fixed when the model is built. That is why it is called a bottleneck.
- [ ] Only the last words: the encoder ignores them by then.
  > forgets-the-end: The encoder updates the vector at every word, the last one included.

## reach
What decides how far apart two words may be for a stack of convolutions to relate them?
- [ ] How long the model was trained
  > training-extends-reach: Training changes the numbers in the kernel. A word outside the reach is
    multiplied by none of them.
- [ ] The number of features of each word
  > width-is-reach: More features let it say more about each word, not see further.
- [x] The width of the kernel and the number of layers
  > Yes. Each layer adds the kernel's width minus one; beyond that the second word does not enter
    the sum at all.
- [ ] Nothing: a convolution runs over the whole sentence
  > sliding-is-seeing: It runs over all places, but at each place it sees only the words under its
    kernel.
""",
)
