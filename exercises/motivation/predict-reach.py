"""A stack of 4 convolutions, each with a kernel of 3 words: the word itself and the two before it.

In our sentences a noun with its article is one token. *The apple* is the first token. Then come $p$
phrases of two tokens each (*under | the tree*), *had been* and *picked*.
"""

from coursekit import numeric, quiz

quiz(
    id="predict-reach",
    chapter="motivation",
    title="Predict: the reach of a convolution",
    questions=[
        numeric(
            "tokens_back",
            "How many tokens back can the last position see through all 4 layers?",
            answer=8,
            tolerance=0.0,
            unit="tokens",
            success_message="Each layer looks 2 tokens further back: 4 · 2 = 8.",
            mistakes={
                "kernel-per-layer": 12,
                "itself": 9,
                "one-layer": 2,
                "kernel-once": 3,
                "layers": 4,
                "both-sides": 16,
                "multiplied": 81,
            },
        ),
        numeric(
            "first_blind",
            "What is the smallest number of phrases $p$ at which the vector of *picked* no "
            "longer depends on *the apple*?",
            answer=4,
            tolerance=0.0,
            unit="phrases",
            success_message="The subject is 2p + 2 tokens before the participle: 8 at p = 3, just "
            "within reach, and 10 at p = 4.",
            mistakes={
                "one-too-far": 5,
                "last-seen": 3,
                "tokens-seen": 8,
                "first-distance": 9,
                "tokens-for-phrases": 10,
                "phrase-is-a-token": 7,
                "kernel-per-layer-reach": 6,
                "one-layer-reach": 1,
            },
        ),
    ],
    hints=[
        "With one layer the last position sees itself and 2 tokens before it. What does each of "
        "those see through a second layer?",
        "Count tokens for p = 1: the apple | under | the tree | had been | picked. How far is it "
        "from the last token to the first?",
    ],
    misconceptions={
        "kernel-per-layer": "12 is 4 · 3. A kernel of 3 includes the word itself, so each layer "
        "adds 2 new tokens.",
        "itself": "9 is the number of tokens that it sees, including itself. How many of them come "
        "before it?",
        "both-sides": "16 would be right if each layer reached 4 words further. The kernel's three "
        "words are the word itself and the two before it.",
        "one-layer": "2 is right for one layer. The second layer reads positions that already see "
        "2 tokens back.",
        "kernel-once": "3 is one layer's kernel, including the word itself. How far do four layers "
        "reach?",
        "layers": "4 is the number of layers. Each of them adds two tokens.",
        "multiplied": "81 is 3⁴. The reach adds up: each layer adds two tokens.",
        "one-too-far": "At p = 5 the subject is 12 tokens back. It is already out of reach at a "
        "smaller p: how far back is it at p = 4?",
        "last-seen": "At p = 3 the subject is 8 tokens back, which is just within reach.",
        "tokens-seen": "8 is how many tokens back it can see. The question asks for phrases, and a "
        "phrase has two tokens.",
        "first-distance": "9 is the first distance in tokens that is out of reach. The question "
        "asks for phrases, and a phrase has two tokens.",
        "phrase-is-a-token": "7 would be right if a phrase were one token. A phrase has two, so "
        "the subject is 2p + 2 tokens back.",
        "kernel-per-layer-reach": "6 would be right if each layer added 3 tokens. A kernel of 3 "
        "includes the word itself, so each layer adds 2.",
        "one-layer-reach": "1 is right for one layer. Four layers reach 8 tokens back.",
        "tokens-for-phrases": "10 is the distance in tokens. The question asks for phrases, and a "
        "phrase has two tokens.",
    },
)
