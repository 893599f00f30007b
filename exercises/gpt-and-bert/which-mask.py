"""Three trained models. Say which mask and which loss fit."""

from coursekit import quiz

quiz(
    title="Which mask, which loss?",
    hints=["When a token is processed, which other tokens are there already?"],
    questions=r"""
## search
A model gets a whole question and has to turn it into vectors, one for each token. It never writes.
Which mask suits it?
- [ ] causal
  > always-causal: It would work, but the first words would know nothing of the last ones. The whole
    question is there from the start.
- [x] none but the padding's > Yes: bidirectional, as in BERT.
- [ ] causal for the first half, none for the second
  > prefix-mask: Nothing of the question has to be hidden from anything.

## no_mask
A model without a causal mask is trained to predict the next token at each place. What happens?
- [ ] it learns more slowly, as the task is harder
  > harder-without-mask: It is easier: the answer stands in the input, one place to the right.
- [ ] nothing special: the loss takes care of the order
  > loss-hides: The loss says what is to be predicted. The mask says what may be used for it.
- [ ] it cannot be trained, as the shapes differ > mask-changes-shape: A mask changes no shape.
- [x] the loss falls to nearly 0, and the model cannot write
  > Yes: it learns to copy the next token, which is not there when it writes.

## translator
How many of the three attentions of an encoder-decoder have a causal mask?
- [x] one > Yes, the decoder's self-attention. The source is there as a whole.
- [ ] two: both in the decoder
  > cross-is-causal: Cross-attention sees the source, and none of it lies in the future.
- [ ] all three
  > always-causal: The source is complete when the translation begins. Hiding half of it does not
    help.
""",
)
