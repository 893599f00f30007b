"""A GRU reads an English sentence into one vector, and from this vector alone a second GRU writes
the sentence in French. One such pair has a vector of 64 numbers, another a vector of 32. Both are
trained on sentences with up to six phrases. Tested on new sentences with six phrases, neither gets
more than 3 in 100 of them right in every word.

We look only at those translations that have a participle where it belongs, before the end.
"""

from coursekit import quiz

quiz(
    title="Predict: what is kept?",
    version=2,
    questions=r"""
## gender_kept
How many of these participles have the gender of their subject, the oldest word in the vector?
- [ ] About 2 in 100 at both widths, like the sentences: a vector is either full or not.
  > all-at-once: A vector of real numbers does not overflow like a box. Training decides what is
    kept, and one part of a sentence can be right while another is wrong.
- [ ] About half at both widths: the models have forgotten the subject and guess.
  > oldest-is-lost: This is what is often said of recurrent networks. It is not true of 64 numbers:
    the gender is nearly always right there, while other words are wrong.
- [ ] Nearly all at both widths: a gender is one bit, and one bit always fits.
  > bits-decide: It fits, but training need not put it there. With 32 numbers most sentences begin
    with the right noun, and the participle at their end often has the wrong gender all the same.
- [x] Nearly all with 64 numbers, about two thirds with 32.
  > Yes. What is kept depends on the width and on training, not only on how many bits it takes.
""",
)
