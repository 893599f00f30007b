"""Write four to six sentences, for a colleague who knows the dot product and the softmax."""

from coursekit import quiz

quiz(
    title="What the factor √d_k is for",
    hints=[
        "How many products are added up in one score?",
        "What weights does the softmax give for the scores 8 and 0, and how do they change for "
        "8.1?",
        "[](scaled-dot-product.md) measures both: the spread and the derivatives.",
    ],
    questions=r"""
## why_the_root
Scaled dot-product attention divides each score by $\sqrt{d_k}$. What would happen without this
division, why is the divisor the *root* of the width, and when does the argument not apply?
- [1] Says how the dot product depends on the width: for independent components of variance 1 its
  variance is $d_k$, or its spread $\sqrt{d_k}$. (That the mean has to be 0 need not be said.)
- [1] Says that division by the root brings the spread to 1 for every width, or that division by
  $d_k$ would make it smaller the wider the keys are.
- [1] Says why the spread matters: widely spread scores make weights close to 0 and 1, where the
  derivatives of the weights by the scores are close to 0.
- [1] Names a limit: what the argument assumes of the components, that narrow keys hardly need the
  division, or that the derivatives by the queries, which training changes, are larger without it up
  to a width of some hundreds.
### weak (0, 0, 0, 0)
The scores can get very big. Dividing by the root of $d_k$ normalises them, so they lie between 0
and 1 and training is more stable.
> It repeats that the division is useful. It does not say how large the scores are or why that
> depends on the width, and it is wrong about the range: scaled scores are not confined to 0 to 1.
> The softmax does that to the weights. “More stable” needs its reason, the derivative of the
> softmax.
### good (1, 0, 1, 0)
A dot product is a sum of $d_k$ products. If they are independent and have variance 1, the sum has
variance $d_k$. With wide keys one score is then far above the others, the softmax gives it a weight
of nearly 1, and almost no gradient comes back to the scores. Division by $\sqrt{d_k}$ prevents
this.
> Spread and gradient are both explained. Why the divisor is the root, and not the width itself, is
> left open: the standard deviation, not the variance, has to become 1. No limit of the argument is
> named.
### excellent (1, 1, 1, 1)
Take components that are independent, with mean 0 and variance 1. Their dot product has variance
$d_k$, hence standard deviation $\sqrt{d_k}$: 32 for a width of 1024. Scores that far apart leave
nearly all the weight of most queries on one key, and there a small change of the scores changes
next to nothing. Divided by $\sqrt{d_k}$ the scores have standard deviation 1 at every width;
divided by $d_k$ they would shrink as the width grows, and the weights would approach a plain mean.
The argument is about vectors at the start of training: learned queries and keys are not
independent. For $d_k = 4$ the division makes little difference.
> Each step has its reason and a number. It says what the other divisor would do, and where the
> argument stops.
""",
)
