"""A trained next-token model writes text: `model(tokens)` returns scores (*logits*) of
shape `(len(tokens), vocabulary)`, and its row `i` scores every possible token at place `i + 1`.

The lines below decode **greedily**: again and again they append the token with the highest score.
They start from the list `prompt`, stop after `most` new tokens, or earlier when the token `END` has
been written, which then is the last of `tokens`. Two of the lines do not belong there.
"""

import numpy as np

from coursekit import parsons, quiz

END = 4


def model(tokens):
    """Return logits under which every token is followed by the sum of all before it, modulo 5."""
    return np.eye(5)[np.cumsum(tokens) % 5]


def works(code):
    """Whether the lines write what greedy decoding writes."""
    for prompt, most, right in (
        ([1], 9, [1, 1, 2, 4]),
        ([1, 2], 9, [1, 2, 3, 1, 2, 4]),
        ([1, 2], 2, [1, 2, 3, 1]),
    ):
        given = list(prompt)
        names = {"np": np, "model": model, "prompt": given, "most": most, "END": END}
        exec(code, names)
        if names["tokens"] != right or given != prompt:
            return False
    return True


quiz(
    id="decoding-loop",
    chapter="workshop",
    title="Order the lines of a decoding loop",
    questions=[
        parsons(
            "decoding_lines",
            "Put the lines in order, and indent them.",
            lines={
                "a": "tokens.append(token)",
                "b": "logits = model(prompt)",
                "c": "if token == END:",
                "d": "token = int(np.argmax(logits[-1]))",
                "e": "for _ in range(most):",
                "f": "break",
                "g": "logits = model(tokens)",
                "h": "tokens = list(prompt)",
                "i": "token = int(np.argmax(logits[0]))",
            },
            orders=["h e >g >d >a >c >>f"],
            mistakes={
                "reads-prompt-only": "b",
                "first-row": "i",
                "starts-again": "e >h",
                "end-not-written": "f a",
                "appends-once": "e |a",
                "asks-once": "g e",
                "appends-before-choosing": "a d",
                "chooses-before-asking": "d g",
                "always-stops": ">c >f",
                "never-stops": "!f",
                "nothing-asked": "!c",
                "nothing-written": "!a",
            },
            works=works,
            success_message="Each turn asks the model about all tokens so far, and takes the last "
            "row: the one that scores what comes next.",
            points=2,
        )
    ],
    hints=[
        "What has to exist before the loop, and what happens anew in every turn?",
        "The row of the logits that belongs to the last token scores the token after it.",
        "`break` stands inside the `if`, which stands inside the loop: two levels.",
    ],
    misconceptions={
        "reads-prompt-only": "One line asks the model about the prompt alone, never about what has "
        "been written since.",
        "first-row": "Row 0 scores the token after the first one. What comes next is in the row of "
        "the last token.",
        "starts-again": "The list starts again from the prompt in every turn, so what was written "
        "before is lost.",
        "end-not-written": "The loop is left before the token is appended, so END is not written.",
        "appends-once": "The token is appended outside of the loop.",
        "asks-once": "The model is asked before the loop, and not in every turn.",
        "appends-before-choosing": "A token is appended before it is chosen: in the first turn "
        "there is none.",
        "chooses-before-asking": "The token is chosen from logits before the model is asked: in "
        "the first turn there are none.",
        "always-stops": "The break is not inside the `if`.",
        "never-stops": "The loop goes on after END has been written.",
        "nothing-asked": "Nothing asks whether the token is END before the loop is left.",
        "nothing-written": "The token is chosen and never becomes a part of the text.",
    },
)
