"""Three questions on earlier chapters, from memory."""

from coursekit import quiz

quiz(
    title="From memory",
    hints=[
        "A causal mask lets each token see itself and the tokens before it. A mask takes effect "
        "before the softmax.",
    ],
    questions=r"""
## causal_pairs (± 0)
Five tokens attend to each other with a causal mask. How many of the 25 cells are visible?
- [x] 15 > 1 + 2 + 3 + 4 + 5: a staircase that includes the diagonal.
- [ ] 10 > without-itself: 10 is the triangle without its diagonal. A token also attends to itself.
- [ ] 25 > nothing-hidden: 25 is all of them. A causal mask hides the keys that come later.
- [ ] 20 > diagonal-hidden: 20 leaves 5 hidden. All later keys are hidden: four from the first
  token, three from the second, and so on.
- [ ] 12.5 > half: 12.5 is half of 25. The diagonal is visible, so it is more than half.
- [ ] 5 > diagonal-alone: 5 is one key for each token. A token sees itself and all earlier ones.
- [ ] else > How many keys does the first token see, how many the second?

## visible_row
A mask leaves one query two visible keys out of six, with the scores 1 and 0. What do their two
weights sum to?
- [ ] To one third: two of six
  > share-of-visible: A mask leaves no weight for the keys that it hides. The weights of the visible
    keys sum to 1.
- [ ] To what they summed to without the mask
  > not-renormalised: That is what zeroing weights after the softmax gives. The mask hides scores
    before the softmax, which then normalises over the visible keys.
- [ ] It depends on the hidden scores
  > hidden-still-counts: A hidden score becomes minus infinity before the softmax, so its old value
    has no effect.
- [x] To 1 > Yes. The softmax normalises over the visible keys. The same holds in a window.

## twice_as_long (± 0)
A text gets three times as long. By what factor does the number of scores in self-attention grow?
- [x] 9 > Three times as many queries, and three times as many keys for each.
- [ ] 3 > linear: There are three times as many queries. How many keys does each of them have?
- [ ] 6 > added: 6 = 3 + 3. There is a score for each *pair*: multiply the two factors.
- [ ] 8 > exponential: 8 = 2³. The number of scores is a product of two lengths, each of which grows
  by a factor of 3.
- [ ] 27 > cubic: 27 = 3³. Two things grow, queries and keys; the width of the vectors does not.
- [ ] else > There is a score for each pair of a query and a key. How does the number of each grow?
""",
)
