"""Five kinds of head are trained on whole texts, each of which begins with the mark: a plain one;
one with a gate, which starts near one half; and three with a learned sink $b$, a score beside those
of the keys, which starts at 0, at 2 or at 4. Scores start near 0. With all tokens in the cache, all
five predict as well as possible.
"""

from coursekit import quiz

quiz(
    title="Predict: five heads without the first token",
    version=2,
    hints=[
        "Before training, which share of the weight does a sink of 0 get beside 20 keys with "
        "scores of 0? And which share does a sink of 4 get, with $e^4 = 55$?",
    ],
    questions=r"""
## sink_heads
The mark is evicted. Which heads with a sink, if any, predict worse now?
- [ ] None: all three can abstain.
  > can-means-does: Each *may* abstain. But the mark was in every training text and does the same
    job: what training finds first is used.
- [ ] All three: the mark was in every training text and does the job.
  > mark-always-first: Training uses what does the job first. Which of the two, mark or sink, has
    more weight at the start?
- [x] The one that started at 0, and less so the one from 2; not the one from 4.
  > Yes. Weight that does no harm can lie on the mark or on the sink, and both fit the training
    texts. A sink that starts high gets it first.
- [ ] The one that started at 4: a sink that large takes weight from the triggers.
  > large-sink-hurts: A trigger needs a score well above 4, and training can reach that: with all
    tokens in the cache, all five predict equally well.

## gate
And what does the head with the gate lose?
- [ ] What the plain one loses, if anything: its softmax has no sink either.
  > gate-does-not-help: Its weights sum to 1, too, and may lie on the mark. But do they matter where
    the gate is closed?
- [x] In most models next to nothing: a gate near 0 removes whatever the weights fall on.
  > Yes: less than 0.01 nats in two of three models, and 0.18 in the third, where we had allowed
    0.1. A gate works after the softmax, whatever the weights are.
""",
)
