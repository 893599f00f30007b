"""Queries and keys have independent components with mean 0 and variance 1, and width
$d_k = 256$.
"""

from coursekit import quiz

quiz(
    title="Predict: the spread of the scores",
    hints=[
        "What is the variance of a sum of independent terms?",
        "Each product of two components has variance 1, and there are 256 of them. The standard "
        "deviation is the root of the variance.",
    ],
    questions=r"""
## spread (± 0.05)
What is the standard deviation of the dot product $q \cdot k$?
- [x] 16 > A sum of 256 independent products, each of variance 1, has variance 256; its root is 16.
- [ ] 256 > variance: 256 is the variance. The standard deviation, which has the unit of the scores,
  is its root.
- [ ] 1 > one: 1 is the spread of a single component. The dot product adds 256 products, and their
  variances add.
- [ ] 4 > fourth-root: 4 is the root of 16. The variance of the sum is 256; take one root only.
- [ ] 128 > half: 128 is half of 256. The 256 products have variance 1 each, and variances add: take
  the root of their sum.
- [ ] 0.0625 > the-factor: 0.0625 is 1/16, the factor that would bring the spread back to 1. The
  question asks for the spread before scaling.

## gradient
The softmax turns these dot products into weights, without any scaling. There are 64 keys. How
strongly do a typical query's weights react to a small change of its scores (the derivatives of the
weights with respect to the scores) as $d_k$ grows from 4 to 1024?
- [ ] Less and less, steadily from the start
  > monotone: It ends that way, but with 64 keys it does not begin so. A softmax of 64 nearly equal
    scores also passes little gradient; look at the curve for 64 keys below.
- [ ] More and more, since the scores grow
  > large-scores-large-gradient: Larger scores make a sharper softmax. Once one weight is nearly 1,
    no small change of the scores moves it.
- [x] First a little more, then hardly at all
  > Yes. A gently sharpened softmax responds more than a flat one, and a saturated one hardly
    responds at all.
- [ ] Always the same: the weights always sum to 1
  > sum-is-all: The sum stays 1, but how the weights react to a change in the scores does not stay
    the same.
""",
)
