"""A small Transformer has `d_model` = 10 and `d_hidden` = 40. All its linear layers have biases:
the four matrices of an attention and the two of a feed-forward network. A layer normalisation has a
scale and a shift for each feature.
"""

from coursekit import numeric, quiz

quiz(
    id="parameter-counts",
    chapter="transformer",
    title="Count a layer",
    questions=[
        numeric(
            "attention",
            "How many parameters are in one attention, whatever the number of heads?",
            answer=440,
            tolerance=0.0,
            success_message="Four matrices of 10 · 10 have 10 biases each.",
            mistakes={"no-biases": 400, "three-matrices": 330, "one-matrix": 110, "one-bias": 410},
        ),
        numeric(
            "network_parameters",
            "How many are in the feed-forward network?",
            answer=850,
            tolerance=0.0,
            success_message="10 · 40 + 40 and 40 · 10 + 10.",
            mistakes={
                "network-no-biases": 800,
                "one-layer": 440,
                "biases-40": 880,
                "biases-10": 820,
                "last-bias-only": 810,
                "first-bias-only": 840,
                "square-network": 1640,
            },
        ),
        numeric(
            "encoder_layer",
            "How many are in an encoder layer?",
            answer=1330,
            tolerance=0.0,
            success_message="440 + 850 + two norms of 20.",
            mistakes={"no-norms": 1290, "one-norm": 1310},
        ),
        numeric(
            "decoder_layer",
            "How many are in a decoder layer with cross-attention to an encoder of the same width?",
            answer=1790,
            tolerance=0.0,
            success_message="Two attentions, the network, and three norms.",
            mistakes={"two-norms": 1770, "decoder-no-norms": 1730, "one-attention": 1330},
        ),
    ],
    hints=[
        "A linear layer from a features to b features has a · b weights and b biases.",
        "An attention has W^Q, W^K, W^V and W^O.",
        "Each sublayer has its own norm, of 2 · 10 parameters.",
    ],
    misconceptions={
        "no-biases": "That is the four matrices without their biases.",
        "three-matrices": "W^O is left out.",
        "one-matrix": "That is one of the four matrices.",
        "one-bias": "Each of the four matrices has its own bias.",
        "network-no-biases": "That is the two matrices without their biases.",
        "one-layer": "That is only the first linear layer.",
        "biases-10": "The first layer has 40 outputs, and so 40 biases.",
        "last-bias-only": "That leaves out the first layer's biases.",
        "first-bias-only": "That leaves out the second layer's biases.",
        "biases-40": "The second layer has 10 outputs, and so 10 biases.",
        "square-network": "One of your matrices is 40 by 40. The first maps 10 features to 40, the "
        "second maps them back.",
        "no-norms": "The layer normalisations are left out.",
        "one-norm": "You are 20 short: each of the two sublayers has a norm, with a scale and a "
        "shift for each of 10 features.",
        "two-norms": "A decoder layer has three sublayers, and so three norms.",
        "decoder-no-norms": "The three layer normalisations are left out.",
        "one-attention": "That is an encoder layer. A decoder layer has a second attention, with "
        "its own norm.",
    },
)
