"""Three questions on earlier chapters."""

from coursekit import quiz

quiz(
    title="Recall: what a GPT needs",
    questions=r"""
## recall_gpt_mask
Five tokens attend to each other under a causal mask. Which of them has weights on exactly two keys?
- [x] the second > It sees itself and the first token.
- [ ] the fourth
  > future-visible: The fourth sees itself and three earlier tokens. Only what comes later is
    hidden.
- [ ] all but the first
  > mask-as-window: The third token sees itself and both tokens before it. A causal mask is not a
    window.

## recall_gpt_heads
A layer with `d_model = 64` has 4 heads of equal width that fill it. By what are its scores divided?
- [ ] 8 > scaled-by-model-width: That is the root of 64. A head compares keys of its width.
- [ ] 16 > scaled-by-d: That is the width of a head; the scale is its square root.
- [x] 4 > Each head is 16 wide, and the scale is the root of that.

## recall_gpt_order
Self-attention without positions and without a mask gets a sentence in reverse order. What changes
in its outputs?
- [ ] The numbers of each token
  > order-is-seen: Each token meets the same keys as before and gets the same output; the outputs
    only stand in another order.
- [x] Only their order > Attention is permutation-equivariant: this is why a model needs positions.
- [ ] Nothing at all > order-is-lost: Each output moves with its token: their order changes too.
""",
)
