"""Three questions on the chapters before, from memory."""

from coursekit import quiz

quiz(
    title="Before you start",
    questions=r"""
## cross_attention
A model answers a question about a picture, and its answer depends on what is seen in a few cells.
It has one cross-attention. Where do queries, keys and values come from?
- [x] Queries from the question, keys and values from the picture
  > Yes: the words of the question attend to the cells.
- [ ] Queries from the picture, keys and values from the question
  > sides-swapped: Then cells would attend to words. Queries belong to what needs the information,
    keys and values to what has it.
- [ ] All three from the picture
  > self-for-cross: That is self-attention among the cells. It mixes the cells, but the question has
    no part in it.
- [ ] Queries and keys from the question, values from the picture
  > keys-without-values: Keys and values stand for the same things, in pairs: a key says what its
    value is about.

## weights_shape (± 0)
A caption of 7 words looks at a picture of 4 by 4 cells. How many weights does one head compute?
- [x] 112 > 7 queries times 16 keys.
- [ ] 28 > one-side: The picture has 4 · 4 cells, and each of them is a key.
- [ ] 49 > square: 7 · 7 would be words looking at words. Here they look at cells.
- [ ] 23 > added: Every word has a weight for every cell: how many pairs are there?
- [ ] 256 > square-of-cells: 16 · 16 would be cells that attend to cells. Here words attend to
  cells.
- [ ] 16 > one-word: 16 is the number for one word: a weight for each cell. There are 7 words.
- [ ] 11 > side-added: 11 is 7 + 4. The picture has 16 cells, and there is a weight for each pair of
  a word and a cell.

## order
A model without positions takes one weighted mean of the words *good not boring*, and one of *boring
not good*. Are the two resulting vectors the same?
- [ ] No: the words stand in other places
  > order-is-seen: Scores depend on the words alone. Without positions their order is invisible.
- [x] Yes > Yes: the same words, so the same weights and the same sum.
- [ ] No: the weights are the same, but the values are not
  > values-know-places: Values are computed from the words as well, and they do not depend on
    places.
""",
)
