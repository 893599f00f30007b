"""A friend shows you a heat map of attention weights and says: “So this is why it decided that
way.” Answer in six to eight sentences.
"""

from coursekit import quiz

quiz(
    title="Do weights explain a model?",
    hints=[
        "What is multiplied by a weight, in the second layer of a model?",
        "What would you have to change in order to see a cause?",
        "[](interpretation.md) has such experiments, and their results.",
    ],
    questions=r"""
## weights_and_reasons
What is an attention weight a share of? How do weights help to interpret a model, and what do they
not show? Propose an experiment that would test your friend's sentence, and say which result would
refute it.
- [1] Says what a weight is: how much of one position goes into the mixture for another, in one
  head. (That it belongs to one layer need not be said.)
- [1] Says what looking at weights is good for, with one example: it suggests hypotheses, shows an
  alignment, or reveals a fault such as a leak.
- [1] Says that inspection is not explanation, with one reason: positions hold mixed vectors, there
  are other heads and paths, a large weight need not have an effect, or a small one may have one.
- [1] Proposes an experiment that *changes* something (a word, a weight, a head) and measures what
  happens to the answer.
- [1] Makes the experiment fair: a comparison (a change of another word, chance), and a result that
  would refute the sentence. Both are needed.
### weak (0, 0, 0, 0, 0)
Attention weights make the model transparent. You can see which words it thought were important, so
you can explain its decision to users. To test this, one could look at the weights for more
sentences and see whether they make sense.
> It takes the weight for the reason, which is the sentence to be tested. The proposed experiment
> changes nothing: more maps that look sensible to people show that they are plausible, not that the
> model depends on those words.
### good (1, 1, 1, 1, 0)
A weight says how strongly one position is mixed into another in one head. That is useful for
inspecting a model: in a translator the map often shows which source word a target word belongs to.
It is not a proof, since the vectors of later layers already hold several words, and other heads
matter as well. To test it, remove the word with the largest weight and see whether the answer
changes.
> All ideas are there, and the experiment intervenes. One sentence and one word prove little,
> though: removing *any* word may change the answer. There is nothing to compare with.
### excellent (1, 1, 1, 1, 1)
A weight of 0.8 means that 0.8 of the mixture for this query, in this head, is the value at that
position. Looking at it is worth while: it suggests what to test, and shows faults such as weight on
padding. It does not show a cause. After the first layer, a position holds parts of other words;
there are other heads, and a path around the attention; models have been trained that hide the word
on which they depend from their weights. So: take 200 sentences, in each replace the word with the
largest weight by another of its kind, and in a second run a random word with little weight. Count
how often the answer changes. If the first count is not clearly larger than the second, your
sentence is refuted for this model; if it is, we know that the answer depends on such words, but
still not how.
> It separates what a weight is from what follows from it, and the experiment has a size, a
> comparison, and a result that would refute the claim. It even says what a success would leave
> open.
""",
)
