"""A Transformer with 3 encoder layers and 5 decoder layers, norm first, translates."""

from coursekit import quiz

quiz(
    title="Where does it come from?",
    hints=["Follow the lines of the block diagram backwards."],
    questions=r"""
## keys
From what are the keys of the cross-attention in decoder layer 2 computed?
- [ ] the output of encoder layer 2
  > layers-paired: Layers are not paired. The two stacks need not even have the same number of
    layers.
- [ ] the output of decoder layer 1
  > keys-from-target: The stream for the queries comes from there. Keys and values come from the
    other sequence.
- [ ] the embedded source > keys-from-embedding: The embedding is only the encoder's input.
- [x] the output of encoder layer 3
  > Yes, the last one: every decoder layer gets the same encoder output, each with its own W^K and
    W^V.

## queries
From what are the queries of the cross-attention in decoder layer 2 computed?
- [x] the stream after the causal self-attention of decoder layer 2
  > Yes. So a query already knows the words written before.
- [ ] the embedded target
  > queries-from-embedding: That is the input of decoder layer 1. In layer 2 the stream has passed
    four sublayers more.
- [ ] the weights of the causal self-attention
  > queries-from-weights: Weights say what is mixed. Queries are computed from the result of the
    mixing, added to the stream.
- [ ] the output of the encoder
  > queries-from-source: That gives keys and values. Queries come from the sequence that needs
    information, the target.

## network
In which sublayers does a token's result depend on other tokens?
- [ ] in all of them
  > network-mixes: The feed-forward network and the norm get each token on its own.
- [x] in the attentions only > Yes: nothing else looks at another token.
- [ ] in the attentions and the norms
  > norm-mixes: Layer normalisation takes mean and variance over the features of one token.
""",
)
