"""Heads are mostly used for self-attention. Where do the inputs of such a layer come
from? Take the layer by itself: "the input" means what *this layer* is given.
"""

from coursekit import quiz

quiz(
    title="Self-attention: who gives what?",
    questions=r"""
## source
In self-attention, where do the queries, keys and values of a layer come from?
- [ ] From two different sequences
  > cross-attention: That is cross-attention: queries from one sequence, keys and values from the
    other.
- [x] All three from one and the same sequence
  > Yes: three projections of one sequence. In the first layer that is the embedded sentence; in
    every later layer it is the output of the layer before.
- [ ] Some from the output of the layer before, some from the model's own input
  > previous-and-input: A deep model's later layers do read the layer before, but all three come
    from there. None of them comes from the model's own input.
- [ ] From pre-trained embeddings
  > embeddings: Embeddings, pre-trained or not, feed only the first layer. And they are not queries,
    keys or values until three matrices have been applied to them.
""",
)
