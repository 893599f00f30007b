"""A small Transformer has `d_model` = 10 and `d_hidden` = 40. All its linear layers have biases:
the four matrices of an attention, the two of a feed-forward network. A layer normalisation has a
scale and a shift for each feature.
"""

from coursekit import quiz

quiz(
    title="Count a layer",
    hints=[
        "A linear layer from a features to b features has a · b weights and b biases.",
        "An attention has W^Q, W^K, W^V and W^O.",
        "Each sublayer has its own norm, of 2 · 10 parameters.",
    ],
    questions=r"""
## attention (± 0)
How many parameters has one attention, whatever the number of heads?
- [x] 440 > Four matrices of 10 · 10 with 10 biases each.
- [ ] 400 > no-biases: That is the four matrices without their biases.
- [ ] 330 > three-matrices: That leaves W^O out.
- [ ] 110 > one-matrix: That is one of the four matrices.
- [ ] 410 > one-bias: Each of the four matrices has its own bias.

## network_parameters (± 0)
How many has the feed-forward network?
- [x] 850 > 10 · 40 + 40 and 40 · 10 + 10.
- [ ] 800 > network-no-biases: That is the two matrices without their biases.
- [ ] 440 > one-layer: That is the first of the two linear layers.
- [ ] 880 > biases-40: The second layer has 10 outputs, and so 10 biases.
- [ ] 820 > biases-10: The first layer has 40 outputs, and so 40 biases.
- [ ] 810 > last-bias-only: That leaves out the biases of the first of the two layers.
- [ ] 840 > first-bias-only: That leaves out the biases of the second of the two layers.
- [ ] 1640 > square-network: One of your matrices is 40 by 40. The first maps 10 features to 40, the
  second maps them back.

## encoder_layer (± 0)
How many has an encoder layer?
- [x] 1330 > 440 + 850 + two norms of 20.
- [ ] 1290 > no-norms: That leaves the layer normalisations out.
- [ ] 1310 > one-norm: You are 20 short: each of the two sublayers has a norm, with a scale and a
  shift for each of 10 features.

## decoder_layer (± 0)
How many has a decoder layer with cross-attention to an encoder of the same width?
- [x] 1790 > Two attentions, the network, and three norms.
- [ ] 1770 > two-norms: A decoder layer has three sublayers, and so three norms.
- [ ] 1730 > decoder-no-norms: That leaves the three layer normalisations out.
- [ ] 1330 > one-attention: That is an encoder layer. A decoder layer has a second attention, with a
  norm of its own.
""",
)
