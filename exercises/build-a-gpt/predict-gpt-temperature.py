"""Before the model writes with your loop, commit to a guess."""

from coursekit import quiz

quiz(
    title="Predict: a higher temperature",
    questions=r"""
## predict_gpt_temperature
The temperature goes from 0.8 to 1.5. What suffers most in the fables?
- [ ] The next word after “once there”: the model forgets its phrases.
  > phrases-first: There one word has nearly all of the probability, and a higher temperature leaves
    it most of that. The phrase needs this one word to be right. Which of the others needs many?
- [x] Whether the answer to “who has it?” fits the events.
  > Each word goes wrong a few times in a hundred, this answer no more often than others. But it
    fits only if every name in every event before it is right as well.
- [ ] Their variety: all fables become alike.
  > temperature-inverted: It is the other way round: a higher temperature brings the probabilities
    closer together, so that rare words are drawn more often.
""",
)
