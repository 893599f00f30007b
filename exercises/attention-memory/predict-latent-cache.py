"""DeepSeek-V2 has 128 heads, each with keys and values of width 128. For each token and layer, its
cache has a latent of width 512, from which the keys and values of all heads are made, and one
rotary key of width 64, which all heads share.
"""

from coursekit import numeric, quiz

quiz(
    id="predict-latent-cache",
    chapter="attention-memory",
    title="Predict: the cache of latents",
    questions=[
        numeric(
            "all_heads",
            "How many numbers would be cached for one token and layer if all heads kept their keys "
            "and values?",
            answer=32768,
            tolerance=0.0,
            success_message="2 · 128 · 128.",
            failure_message="Count keys and values for each head, with the width of a head.",
            mistakes={
                "one-of-two": 16384,
                "in-bytes": 65536,
                "one-head": 256,
                "heads-or-width": 128,
            },
        ),
        numeric(
            "latents",
            "How many numbers does the cache of latents hold for one token and layer?",
            answer=576,
            tolerance=0.0,
            success_message="The latent and the shared rotary key, 512 + 64. Neither is multiplied "
            "by the number of heads.",
            failure_message="Add what is stored: one latent, one rotary key.",
            mistakes={
                "no-rotary": 512,
                "two-latents": 1088,
                "both-twice": 1152,
                "rotary-twice": 640,
                "rotary-per-head": 8704,
                "latent-per-head": 65600,
                "all-heads": 32768,
            },
        ),
    ],
    hints=["Which of the stored vectors belong to a head, and which are shared by all?"],
    misconceptions={
        "one-of-two": "16,384 counts the keys alone. The values take as many numbers.",
        "in-bytes": "65,536 is twice the number: the bytes, if each number takes two. The question "
        "is about numbers.",
        "one-head": "256 is one head. There are 128.",
        "heads-or-width": "128 is the number of heads, or the width of one. Multiply.",
        "no-rotary": "512 is the latent. The rotary key is stored beside it.",
        "two-latents": "1088 counts two latents. Keys and values are made from the same one.",
        "both-twice": "1152 counts both twice. Keys and values are made from one latent, and "
        "values are not rotated.",
        "rotary-twice": "640 counts two rotary keys. Values are not rotated.",
        "rotary-per-head": "8704 counts a rotary key for each of the 128 heads. They share one.",
        "latent-per-head": "65,600 counts a latent for each head. They share one.",
        "all-heads": "32,768 is what is no longer stored: the keys and values of all heads.",
    },
)
