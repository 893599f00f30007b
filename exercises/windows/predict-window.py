"""There are 16 tokens in a row, numbered from 0 to 15. Each attends to itself and to **two tokens
on each side**, as far as there are any: a window of 2. Layers are stacked: the second layer attends
to what the first one computed.
"""

from coursekit import quiz

quiz(
    title="Predict: what a window costs, and how far it reaches",
    hints=[
        "Take position 8 after two layers. In the second layer it attends to positions 6 to 10. "
        "What did position 10 attend to in the first?",
        "Each layer adds two tokens on each side, where there are any.",
    ],
    questions=r"""
## pairs (± 0)
How many of the 16 · 16 = 256 pairs of query and key are visible in one layer?
- [x] 74 > 16 rows of 5, minus 3 at each end: token 0 lacks two, token 1 lacks one.
- [ ] 80 > ends-forgotten: 80 is 16 rows of 5. What does token 0 have on its left?
- [ ] 72 > four-at-each-end: 72 is 80 minus 4 at each end. Token 0 lacks two keys and token 1 lacks
  one: that is 3 at each end.
- [ ] 77 > one-end: 77 is 80 minus the 3 keys missing at one end. The other end lacks 3 as well.
- [ ] 76 > token-1-forgotten: 76 is 80 minus 2 at each end. Token 1 also lacks a key: it has only
  one token on its left.
- [ ] 46 > window-of-one: 46 is right for one token on each side. Here a window of 2 means two on
  each side; some texts count both sides together.
- [ ] 58 > without-itself: 58 is right without the diagonal. Each token attends to itself as well.
- [ ] 64 > four-in-a-row: 64 is four keys in each of 16 rows. A token away from the ends has two on
  each side and itself; tokens at the ends have fewer.
- [ ] 45 > one-side: 45 counts one side and the token itself. The window opens to the left and to
  the right.
- [ ] 256 > all-pairs: 256 is the number of all pairs. With this window a query attends to 5 keys at
  most.
- [ ] else > Count row by row: how many keys does token 0 see, how many token 1, and how many token
  8?

## reach_of_8 (± 0)
With three such layers, how many of the 16 tokens, token 8 included, can affect the output at
position 8?
- [x] 13 > 2 · 3 = 6 on each side, and itself: tokens 2 to 14.
- [ ] 5 > window-only: 5 is what one layer sees. In the next layer its neighbours pass on what they
  got from *their* neighbours.
- [ ] 9 > two-layers: 9 is the reach of two layers, 4 on each side and itself. There are three.
- [ ] 15 > windows-added: 15 is three windows of 5. They overlap: each further layer adds two tokens
  on each side.
- [ ] 125 > powers: 125 = 5 · 5 · 5 counts *paths*, and many of them begin at the same token. There
  are only 16 tokens.
- [ ] 7 > one-side-of-8: 7 is six on one side, and the token itself. The window opens both ways.
- [ ] 12 > sides-without-itself: 12 is six on each side. Token 8 itself counts as well.
- [ ] 16 > all-tokens: Three layers do not reach all 16: they reach at most six tokens to each side.
- [ ] else > Go back layer by layer: which tokens affect position 8 after one layer, after two,
  after three?

## reach_of_1 (± 0)
And at position 1?
- [x] 8 > Only token 0 is on its left, and six are on its right: tokens 0 to 7.
- [ ] 13 > left-end: 13 is right in the middle of the row. Position 1 has only one token on its
  left.
- [ ] 7 > one-missing: One is missing: position 1 counts itself, token 0 on its left, and six tokens
  on its right.
- [ ] 6 > right-only: Three layers reach six tokens to the right, 2 to 7. Token 0 and position 1
  itself count as well.
- [ ] 4 > first-layer-of-1: 4 is what one layer sees, tokens 0 to 3. There are three layers.
- [ ] 16 > all-tokens
- [ ] else > Three layers reach six tokens to each side, as far as there are any. Which are they
  here?
""",
)
