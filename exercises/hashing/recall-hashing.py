"""Three questions on earlier chapters, from memory."""

from coursekit import quiz

quiz(
    title="From memory",
    hints=[
        "Each layer adds one window on each side. A difference of scores becomes a ratio of "
        "weights.",
    ],
    questions=r"""
## stack_of_windows (± 0)
A stack of 4 layers, with windows of 3 on each side, reads 1000 tokens. How many tokens can affect
the output at position 500, token 500 included?
- [x] 25 > 3 · 4 = 12 on each side, and itself.
- [ ] 7 > window-only: 7 is one layer. The next layer adds what the neighbours have seen.
- [ ] 28 > windows-added: 28 is four windows of 7. They overlap: each layer adds 3 on each side.
- [ ] 13 > one-side: 13 is twelve on one side, and the token itself. The window opens both ways.
- [ ] 24 > without-itself: 24 is twelve on each side. The token itself is also in its window.
- [ ] 12 > distance: 12 is how far four layers reach to one side.
- [ ] 2401 > paths: 2401 = 7⁴ counts paths. Many of them begin at the same token.
- [ ] 19 > three-layers: 19 is the reach of three layers.
- [ ] 31 > five-layers: 31 is the reach of five layers.
- [ ] 1000 > everything: 1000 is the number of all tokens. Four layers reach 12 to each side.
- [ ] else > How far to each side does one layer reach, and how far do four?

## weight_ratio
One score is 2 higher than another in the same row. How do their weights compare?
- [ ] The higher one is twice the other
  > linear-softmax: The softmax takes exponentials, so a *difference* of 2 becomes a ratio of e².
- [ ] The higher one is larger by 2
  > weight-is-score: Weights are between 0 and 1, so they cannot differ by 2.
- [x] The higher one is about 7.4 times the other
  > Yes: e². So a few high scores can get nearly all of the weight. Whether they do is a question of
    this chapter.
- [ ] That depends on the other scores of the row
  > ratio-depends-on-row: The two weights do, but their ratio does not: the sum cancels.

## sees_nothing
A mask hides all keys from one query. What does attention return for it in this course?
- [ ] NaN > nan-row: NaN comes from 0 / 0, where no rule was made for such a query.
- [x] Zero
  > Yes. This chapter uses another rule for such a query: it may attend to itself, and only then.
- [ ] The mean of all values
  > mean-of-hidden: That is what hiding with −10⁹ gives: the mean of what should be hidden.
- [ ] Its own value > own-value: Not in general. But remember the idea: it comes back below.
""",
)
