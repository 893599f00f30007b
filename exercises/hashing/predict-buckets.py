"""Four buckets in the plane. A token $x = (x_1, x_2)$ falls into the bucket of the largest of the
four numbers $(x_1, x_2, -x_1, -x_2)$, counted from 0: right, up, left or down, the nearest of them.

Eight tokens, in the order of the text:

| token | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
|---|---|---|---|---|---|---|---|---|
| $x_1$ | 1.0 | −0.3 | 0.9 | −1.0 | 0.2 | 0.8 | −0.2 | 0.7 |
| $x_2$ | 0.2 | 1.0 | −0.1 | 0.3 | 1.1 | 0.7 | −0.9 | 0.8 |

They are sorted by bucket (tokens of the same bucket keep the order of the text) and cut into chunks
of two tokens. A token sees its own chunk and the one before.
"""

from coursekit import quiz

quiz(
    title="Predict: buckets, chunks, and who meets whom",
    hints=[
        "Write the four numbers for each token and mark the largest.",
        "The chunks are the sorted row, cut after every second token.",
    ],
    questions=r"""
## bucket_of_3 (± 0)
Into which bucket, 0 to 3, does token 3 fall?
- [x] 2 > The four numbers are −1.0, 0.3, 1.0, −0.3. The third is the largest: left.
- [ ] 1 > no-negatives: 1 is the larger of the two coordinates. Their negatives take part as well,
  and 1.0 = −(−1.0) is larger than 0.3.
- [ ] 3 > counts-from-one: The largest is the third number, but buckets are counted from 0. Bucket 3
  is down.
- [ ] 0 > largest-length: Bucket 0 is right. Token 3 points left: the sign matters.
- [ ] -1 > coordinate: −1 is the first coordinate. The question is about the bucket: the index of
  the largest of the four numbers.
- [ ] else > Write down the four numbers for token 3: x₁, x₂, −x₁, −x₂. Which one is the largest,
  counted from 0?

## order (± 0, cells)
In which order do the eight tokens stand when they are sorted? Write the eight numbers.
- [x] 0, 2, 5, 1, 4, 7, 3, 6 > Bucket 0 holds tokens 0, 2, 5; bucket 1 holds 1, 4, 7; then 3,
  then 6.
- [ ] 0, 1, 0, 2, 1, 0, 3, 1 > buckets-not-tokens: These are the buckets of the tokens in the order
  of the text. The question is which *token* stands where after sorting.
- [ ] 2, 0, 5, 7, 4, 1, 3, 6 > by-angle: This is sorted by angle. Within a bucket tokens keep the
  order of the text.
- [ ] 0, 3, 1, 6, 4, 2, 7, 5 > places: This says at which place each token stands. The question is
  which token stands at each place.
- [ ] 0, 2, 5, 1, 4, 7, 6, 3 > left-down-exchanged: Tokens 3 and 6 are swapped: left is bucket 2,
  and down is bucket 3.
- [ ] 1, 4, 7, 3, 6, 0, 2, 5 > right-last: Bucket 0, right, comes first: buckets are counted from 0.
- [ ] 6, 3, 7, 4, 1, 5, 2, 0 > backwards: This is the order backwards. Bucket 0 comes first.
- [ ] 0, 1, 2, 3, 4, 5, 6, 7 > text: This is the order of the text. Sort the tokens by bucket.
- [ ] else > Write the bucket under each token. Then list all tokens of bucket 0 in the order of the
  text, then those of bucket 1, and so on.

## who_meets
Tokens 5 and 7 lie close together, on two sides of a border between buckets. Which of them sees the
other in this round?
- [ ] Neither: they are in different buckets
  > bucket-only: Buckets decide the order. What a token sees is its chunk and the one before, and
    token 5 is in the chunk before that of token 7.
- [ ] Both see each other
  > looks-both-ways: That would need a look forward as well. Which tokens are in the chunk before
    that of token 5?
- [x] 7 sees 5, but 5 does not see 7
  > Yes: the chunks are (0, 2), (5, 1), (4, 7), (3, 6), and each looks one back. A round with
    another rotation may bring them together.
- [ ] 5 sees 7, but 7 does not see 5
  > looks-forward: The other way round: a chunk looks back at the one before it, and token 5 is in
    the chunk before that of token 7.
""",
)
