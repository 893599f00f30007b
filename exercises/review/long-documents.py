"""A team builds a system that summarises reports of 20 to 60 pages. It has to choose between a
recurrent encoder and decoder without attention, which it knows well, and a Transformer.
"""

from coursekit import example, free_text, quiz

quiz(
    id="long-documents",
    chapter="review",
    title="Case study: summaries of long documents",
    questions=[
        free_text(
            "advice",
            "Advise the team in about a page. Why might the Transformer be the better choice for "
            "documents of this length, what problem does it bring of its own, and how should "
            "the team find out whether the advice is right for its reports?",
            rubric=[
                (
                    1,
                    "Names the bottleneck: a recurrent encoder without attention passes one "
                    "vector of fixed width, which cannot hold the content of a long document.",
                ),
                (
                    1,
                    "Names what the many steps of recurrence do: what was read early passes "
                    "through thousands of them, which is hard to learn, or they cannot be computed "
                    "in parallel in training. One of the two is enough.",
                ),
                (
                    1,
                    "Says what self-attention changes: every token reads every other directly, "
                    "however far apart they are.",
                ),
                (
                    1,
                    "Says what cross-attention does for a summary: for each word it writes, the "
                    "decoder reads the tokens of the document that matter then, such as names "
                    "and numbers.",
                ),
                (
                    1,
                    "Names the cost: scores for every pair of tokens, with a number or a remedy "
                    "(windows, global tokens, hashing, blockwise computation, sections).",
                ),
                (
                    1,
                    "Proposes how to decide: a comparison of systems on the team's own reports, "
                    "and what is counted or measured in it.",
                ),
            ],
            examples=[
                example(
                    "weak",
                    "The team should use a Transformer because it is state of the art. RNNs "
                    "forget what was at the beginning of long documents, but Transformers see "
                    "everything at once thanks to the attention mechanism, so summaries will be "
                    "much better.",
                    points=(0, 0, 1, 0, 0, 0),
                    why="“See everything at once” just earns the point for direct connections. "
                    "“Forget” names neither the fixed vector nor the many steps. There is "
                    "nothing on the decoder, on the cost of long documents, or on how to check. "
                    "“State of the art” is not a reason that a team can test.",
                ),
                example(
                    "good",
                    "A recurrent encoder squeezes the report into one vector of fixed width, "
                    "however long it is. And a fact on page 2 has passed through some twenty-five "
                    "thousand steps by page 40; training through so many steps is hard, and slow "
                    "because one step has to wait for the one before. In a Transformer every "
                    "token attends directly to every other, in parallel. While it writes, the "
                    "decoder attends to the whole report, and can take a name or a number from "
                    "where it stands. The drawback is that the scores grow with the square of the "
                    "length, so for 60 pages the team will need something like a sliding window.",
                    points=(1, 1, 1, 1, 1, 0),
                    why="A sound argument in both directions. What is missing is the last "
                    "step: the team gets a recommendation, and no way to find out whether it holds "
                    "for its reports.",
                ),
                example(
                    "excellent",
                    "Without attention, the recurrent model passes one vector to its decoder. "
                    "That may do for a sentence; a report has thousands of facts. Early pages "
                    "also reach the end only through tens of thousands of steps, which makes "
                    "learning from them hard, and no step of training can start before the one "
                    "before has ended. (With attention added to it, the recurrent model loses the "
                    "first problem and keeps the second.) In a Transformer two tokens are one "
                    "step apart wherever they stand, a layer computes all positions at once, and "
                    "cross-attention lets each word of the summary read the tokens that it needs. "
                    "The price: 60 pages are about 40,000 tokens, so full attention has 1.6 "
                    "billion scores for each head and layer. Computed block by block they need "
                    "not be stored, but they still take time; a window with some global tokens "
                    "reduces them, and so does summarising by section first. I would compare "
                    "three systems on 200 of your own reports: the recurrent one with attention, "
                    "a Transformer with windows, and one that reads only the first pages, which "
                    "is a strong and cheap rival. Let readers count wrong and missing facts, and "
                    "report the result by length. Keep some reports longer than all in training: "
                    "whether positions carry over to them has to be measured.",
                    points=(1, 1, 1, 1, 1, 1),
                    why="It says which weakness belongs to recurrence and which to a missing "
                    "attention, puts a number on the cost, and ends with a comparison that could "
                    "go against the advice.",
                ),
            ],
        ),
    ],
    hints=[
        "What does the decoder of each model get to see of page 2?",
        "How many scores has one head for 40,000 tokens?",
        "[](motivation.md) measures the bottleneck, [](windows.md) the cost, and "
        "[](positions.md) what happens beyond the trained length.",
    ],
)
