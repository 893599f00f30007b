"""There are 26 layers: five local ones, then a global one, and so on; the last two are local. A
layer keeps a key and a value for each token, each of width 256, in 2 bytes per number. A global
layer keeps all tokens, a local one the newest 512. One MiB is $2^{20}$ bytes.
"""

from coursekit import numeric, quiz

quiz(
    id="predict-mixed-cache",
    chapter="attention-memory",
    title="Predict: the cache of a mix",
    questions=[
        numeric(
            "global_mib",
            "How many MiB does the cache of *one global* layer take after 32,768 tokens?",
            answer=32,
            tolerance=0.01,
            unit="MiB",
            success_message="2 · 256 · 2 bytes are 2¹⁰ for each token, times 2¹⁵ tokens: 2²⁵.",
            failure_message="Multiply: key and value, width, bytes, tokens. Divide by 2²⁰.",
            mistakes={
                "one-of-two": 16,
                "all-layers": 832,
                "in-kib": 32768,
                "four-bytes": 64,
                "local-layer": 0.5,
                "mega": 33.55,
            },
        ),
        numeric(
            "mixed_mib",
            "How many MiB do all 26 layers take together?",
            answer=139,
            tolerance=0.1,
            unit="MiB",
            success_message="Four global layers, 4 · 32, and 22 local ones of half a MiB each.",
            failure_message="How many of the 26 layers are global? A local one keeps 512 tokens.",
            mistakes={
                "all-global": 832,
                "five-global": 170.5,
                "global-only": 128,
                "local-only": 13,
                "sixth-of-all": 138.67,
                "fractions": 149.5,
                "one-global": 44.5,
                "exchanged": 706,
            },
        ),
    ],
    hints=[
        "Every sixth layer is global: the 6th, the 12th, and so on up to 26.",
        "Count 4 global layers and 22 local ones.",
    ],
    misconceptions={
        "one-of-two": "16 MiB is the size of the keys alone, or one byte per number.",
        "all-layers": "832 MiB is the size of 26 such layers. The question is about one.",
        "in-kib": "32,768 is the size in KiB. One MiB has 1024 KiB.",
        "four-bytes": "64 MiB is twice as much: 4 bytes per number, or keys and values counted "
        "twice.",
        "local-layer": "0.5 MiB is a local layer, with 512 tokens.",
        "mega": "You divided by a million. One MiB is 2²⁰ bytes.",
        "all-global": "832 MiB would be 26 global layers.",
        "five-global": "That counts five global layers. The 6th, 12th, 18th and 24th are global.",
        "global-only": "128 MiB is the size of the global layers. The 22 local ones also keep "
        "something.",
        "local-only": "13 MiB would be 26 local layers.",
        "sixth-of-all": "A sixth of 832 leaves out the local layers, and 26 is not a multiple of "
        "6.",
        "fractions": "149.5 counts 26 / 6 = 4.33 layers as global. There are no thirds of a layer: "
        "count whole layers.",
        "one-global": "That counts one global layer of 26. There is one in every six.",
        "exchanged": "That counts 22 global layers and 4 local ones. It is the other way round.",
    },
)
