"""Each map shows the weights of one head under a causal mask that somebody got wrong. Queries are
rows, keys columns. In map 3 the queries are the last two of six tokens, as in decoding with stored
keys and values.
"""

from coursekit import quiz

quiz(
    title="Find the fault in a heat map",
    recalled=False,
    hints=[
        "Which cells should be 0 under a causal mask, and what should each row sum to?",
        "Which token of the sentence is each query, and which is the last key that it may see?",
    ],
    questions=r"""
## map_one
What is wrong with the mask of map 1?
- [ ] It is the mask of an encoder: everything is visible.
  > no-mask: The upper right half is 0 in every row, so later keys are hidden.
- [x] It hides each token from itself.
  > Yes: the diagonal is 0. The first token then has nothing to attend to, and its whole row is 0.
- [ ] It was applied after the softmax.
  > mask-after-softmax: Then rows would sum to less than 1. Here all rows but the empty one sum
    to 1.
- [ ] It hides the first token as padding.
  > row-for-column: The first *key* has weight in every other row; it is the first *query* that
    attends to nothing.

## map_two
What is wrong with the mask of map 2?
- [x] The mask was applied after the softmax.
  > Yes: later keys have 0, but their share was not given to the visible ones. The first row sums to
    0.19.
- [ ] The softmax was taken over the queries.
  > wrong-axis: Then each column would sum to 1. The last one sums to 0.30.
- [ ] Nothing: it is a causal map. > zeros-are-enough: The right keys are hidden. Now add up a row.
- [ ] Hidden scores were set to 0 instead of minus infinity.
  > mask-as-zero: Then hidden keys would keep some weight, as e⁰ is 1, and rows would sum to 1.

## map_three
What is wrong with the mask of map 3?
- [ ] It hides too little: the last query should not see all keys.
  > last-query-sees-less: The last query is the last token, so nothing comes after it. Here it sees
    two of six keys.
- [ ] Nothing: row i sees the first i keys.
  > rows-are-positions: That holds where queries and keys start at the same token. These queries are
    tokens 5 and 6.
- [ ] Queries and keys are exchanged.
  > transposed: Then the map would have six rows and two columns.
- [x] The triangle is aligned at the top left instead of the bottom right.
  > Yes: it takes the queries for tokens 1 and 2. As tokens 5 and 6 they should see five and six
    keys.
""",
)
