"""In *An apple that had been on the tree in the garden for weeks had finally been picked up*, one
of a real model's 72 heads puts half of the weight of *picked* on *apple*, more than on any
other token. Now 1,200 sentences are generated from 40 nouns and 12 participles, with one to eight
phrases.
"""

from coursekit import quiz

quiz(
    title="Predict: one head, other sentences",
    hints=[
        "The head was picked among 72 because of one sentence. What would you expect of the winner "
        "of such a contest in the next one?",
    ],
    questions=r"""
## same_wording
The wording stays the same; the nouns and the participle are drawn at random. How often will the
subject get more of the participle's weight than every other noun?
- [x] Nearly always with one phrase, and less often the more there are
  > Yes: from 0.95 with one phrase to 0.84 with eight. It is a tendency that fades with distance and
    stays far above chance.
- [ ] Always: the head has learned what a subject is
  > head-knows-grammar: It is a tendency. With eight phrases it fails about once in six sentences.
- [ ] No more often than chance: one sentence was a coincidence
  > coincidence: A fair guess from one sentence, but wrong here. By chance the subject would be
    first in 1 of 9 sentences with eight phrases.

## other_wording
Now the wording is plainer, and a phrase stands in front: *near the wall the apple under the lamp …
had been picked*. The subject is no longer the first noun. What happens with eight phrases?
- [ ] The same as before: the subject is still the subject
  > head-knows-grammar: For grammar, yes. For this head, no: its share falls to 0.37 in the plain
    wording, and to 0.19 with a phrase in front. Chance is 0.11.
- [x] The head nearly loses the subject
  > Yes. In part it went by the place and the wording rather than by the subject as such.
- [ ] It gets better, since the subject is nearer to the participle
  > nearer-is-better: The subject is one phrase nearer, and yet the share is 0.19, against 0.37 in
    the same wording without the move.
""",
)
