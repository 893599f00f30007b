"""A query $(1, 0)$ has position 3 and a key $(1, 0)$ at position 2. Each is turned by 1 radian
for every position, the query by 3 radians, the key by 2. ($\\cos 1 = 0.54$, $\\cos 2 = -0.42$,
$\\cos 3 = -0.99$.)
"""

from coursekit import quiz

quiz(
    title="Predict: two turned vectors",
    hints=["Draw both as arrows. Which angle is between them?"],
    questions=r"""
## score (± 0.006)
What is their dot product? Two decimals are enough.
- [x] 0.54 > Both have length 1, and the angle between them is 3 − 2 = 1 radian.
- [ ] 1 > unturned: That is the product before they were turned.
- [ ] 0.415 > product-of-cosines: That multiplies the two first coordinates. The second ones, the
  sines, belong to the dot product as well.
- [ ] 0.84 > sine: That is the sine of the angle between them. A dot product of vectors of length 1
  is its cosine.
- [ ] -0.54 > other-sign: The sign is wrong: cos(3 − 2) = cos 3 cos 2 + sin 3 sin 2.
- [ ] 0.28 > sum-of-angles: That is the cosine of the sum of the angles. The angle between the two
  arrows is the difference.
- [ ] -0.99 > query-only: That turns the query alone.
- [ ] -0.42 > key-only: That turns the key alone.

## later
What is it for the same two at positions 103 and 102?
- [x] The same: only the distance counts
  > Yes. Both are turned by 100 more, and the angle between them stays.
- [ ] Less: they are further from the start
  > fades-with-place: A turn does not change lengths, and both were turned further by the same
    angle.
- [ ] Something else: the cosine of 103 is not that of 3
  > absolute-angles: Each of them points elsewhere now. The angle between them is the same.

## swapped
What if the query has position 2 and the key position 3?
- [x] The same number again, here
  > Yes: the cosine of −1 is that of 1. Only for a query and a key that point in different
    directions does the sign of the distance count.
- [ ] The number with the other sign
  > sign-flips: The cosine does not change with the sign of the angle. The sine would.
- [ ] 0, as a query cannot see a later key
  > turn-as-mask: That is what a causal mask does. A turn hides nothing.
""",
)
