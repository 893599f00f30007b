"""Three questions on the chapters before, from memory. If you are not sure, guess."""

from coursekit import quiz

quiz(
    title="Before you start",
    questions=r"""
## recall_guessing (± 0.01)
A model gives each of 172 words the same probability. What is its loss, in nats a word?
- [x] 5.147 > ln 172: an untrained model should start near it.
- [ ] 0.005814 > probability: That is the probability. The loss is minus its logarithm.
- [ ] 7.426 > bits: That is in bits. A nat belongs to the natural logarithm.
- [ ] 2.2355 > decimal: That is the logarithm to base 10.

## recall_adds
In a block that normalises first, what does the feed-forward network read, and what becomes of its
result?
- [x] it reads the stream after attention, normalised; its result is added
  > Yes. The stream itself is never normalised on the way.
- [ ] it reads the stream after attention, normalised; its result replaces it
  > stream-replaced: Then the embedding and all earlier results would be gone. A sublayer adds to
    the stream.
- [ ] it reads the output of attention alone; its result is added
  > attention-alone: The output of attention has been added to the stream, and the network reads the
    sum.

## recall_mean_loss
A model of fables is 0.006 nats a word above the best possible loss. What does that say of one
question asked once in each fable of 112 words?
- [ ] its answer is right in more than 99 of 100 fables
  > mean-for-each: 0.006 nats are a mean over 112 words. One word of them may cost 112 times as
    much.
- [x] nothing: it could toss a coin there
  > Yes: ln 2 / 112 is 0.006. One has to ask the question itself.
- [ ] the answer is wrong, or the distance would be 0
  > distance-is-there: The distance can come from any of the words.
""",
)
