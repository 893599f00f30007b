"""Word vectors of width 50, 3 heads, each 16 wide. Nothing is added to the products (no
*biases*). 16 is not 50 / 3, and need not be.
"""

from coursekit import Picture, numeric, quiz

quiz(
    id="predict-widths",
    chapter="multi-head",
    title="Predict: heads that do not divide the width",
    questions=[
        numeric(
            "shape_of_output_matrix",
            "What is the shape of $W^O$? Write the two numbers.",
            answer=[48, 50],
            tolerance=0.0,
            picture=Picture("shape"),
            success_message="The concatenated heads are 3 · 16 = 48 wide, and W^O maps them back "
            "to 50.",
            mistakes={
                "transposed": [50, 48],
                "one-head": [16, 50],
                "square": [50, 50],
                "square-heads": [48, 48],
                "one-head-transposed": [50, 16],
                "three-inputs": [150, 50],
            },
        ),
        numeric(
            "num_parameters",
            "How many numbers are there in $W^Q, W^K, W^V$ and $W^O$ together, over all heads?",
            answer=9600,
            tolerance=0.0,
            success_message="Four matrices of 50 · 48 = 2400 numbers.",
            mistakes={
                "one-matrix": 2400,
                "three-matrices": 7200,
                "square": 10000,
                "one-head": 3200,
                "per-head-output": 28800,
                "with-biases": 9794,
                "half": 4800,
                "in-and-out-of-one-head": 800,
            },
        ),
    ],
    hints=[
        "How wide is one token's row when the outputs of the three heads are concatenated?",
        "$W^O$ takes that row to a row as wide as the input. And $W^Q$ makes all three heads' "
        "queries of one token at once.",
    ],
    misconceptions={
        "transposed": "A token is a row and stands left of the matrix: (48,) times W^O gives "
        "(50,). So the 48 comes first.",
        "one-head": "That counts one head of the three.",
        "square": "That takes the heads as 50 wide together. 3 heads of 16 are 48 wide; nothing "
        "forces them to fill the width.",
        "square-heads": "The output goes back to the width of the input, 50, so that layers can be "
        "stacked.",
        "one-head-transposed": "(50, 16) is the shape of one head's part of W^Q. W^O is multiplied "
        "from the left by all three heads side by side.",
        "three-inputs": "150 is 3 · 50. A head is 16 wide, so the three are 48 wide together.",
        "half": "4800 is two of the four matrices; W^Q, W^K and W^V of one head and the whole W^O "
        "have as many. All four are 50 · 48 over all heads.",
        "in-and-out-of-one-head": "800 is 50 · 16, one head's part of one matrix.",
        "one-matrix": "2400 is one of the four matrices.",
        "with-biases": "That adds a bias of 48 or 50 numbers to each matrix. The layer has no "
        "biases.",
        "three-matrices": "That is W^Q, W^K and W^V. W^O has as many again.",
        "per-head-output": "You gave each head matrices of the full 48. Each head has 16 columns "
        "of them.",
    },
)
