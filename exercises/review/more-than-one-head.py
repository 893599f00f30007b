"""Write four to six sentences. Follow one query from its weights to the output of the layer, and
keep what is gained apart from what it costs.
"""

from coursekit import quiz

quiz(
    title="What several heads gain",
    hints=[
        "What does one row of weights have to sum to?",
        "Give one query two keys that it needs, with values that must not be mixed up.",
        "[](multi-head.md) builds exactly this case, and counts the cost.",
    ],
    questions=r"""
## why_heads
A layer of width 512 can have one head of width 512 or eight heads of width 64. What can the eight
do that the one cannot, and what does it cost?
- [1] Says what limits one head: each query has one row of weights, which sums to 1, so two things
  that are wanted share it.
- [1] Says that each head has its own projections, and therefore a different row of weights for the
  same query at the same time.
- [1] Says how the results stay apart: they are concatenated, and $W^O$ combines them.
- [1] Is right about one cost: about as many multiplications and parameters as one wide head, or
  narrower comparisons in each head. Or names a limit with its evidence, such as heads that can be
  removed.
### weak (0, 0, 0, 0)
With many heads the model looks at the sentence from several perspectives, like an ensemble. That is
faster too, because the heads run in parallel.
> “Perspectives” is a picture without a mechanism: which numbers differ from head to head? The heads
> of a layer are not an ensemble that votes, since $W^O$ sums different slots. And one wide head
> runs in parallel as well, at about the same cost.
### good (1, 1, 0, 0)
One head gives each query one distribution over the keys. If a verb needs its subject and its
object, each gets a part of the weight, and their values are blended. With eight heads there are
eight distributions, since every head has its own $W^Q$, $W^K$ and $W^V$: one can attend to the
subject, another to the object.
> The limit of one head and the way out are clear, with a case. What becomes of the eight outputs,
> and what they cost, is missing.
### excellent (1, 1, 1, 1)
A head gives each query one row of weights that sums to 1. A query that needs two keys equally gets
half of each, and the blend can be taken apart only where the two values use different features.
Eight heads have their own projections, so the same query gets eight rows at once and can attend
fully to two different keys. Their outputs, 64 numbers each, are concatenated to 512, and $W^O$
reads from each slot what it needs. The count of multiplications and of parameters stays about the
same, since each head is an eighth as wide; that is also the price, for each head compares in 64
dimensions instead of 512. Trained models do not need all heads: many can be removed at little loss.
> It follows the numbers from one row to the output, and says what the price is and what is not
> known to be needed.
""",
)
