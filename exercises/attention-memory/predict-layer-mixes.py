"""Four models of six layers, all with the same parameters, read texts of 64 tokens: names, each
followed by a value. A name that comes again has the same value as before, and the model is asked
for it. A local layer sees the newest 4 tokens, so six of them together reach 18 tokens back.
"""

from coursekit import quiz

quiz(
    title="Predict: what do local layers lose?",
    questions=r"""
## found
A value was written 11 to 17 tokens ago. Which models find it?
- [ ] Six global layers only: a single one has to share its weight.
  > one-global-is-too-few: One query looks for one value. A single layer can do that, once the
    layers below it have put each name beside its value.
- [ ] All four: 18 tokens are within reach of six local layers.
  > reach-is-recall: They could pass a value on from window to window. That they can reach it does
    not mean that training finds a way to keep it.
- [x] All that have a global layer, even if it is the last of six.
  > Yes: local layers suffice to put each name beside its value, and one global layer to find it.
    Six local ones reach the value too, but training did not teach ours to pass it on.
- [ ] Those in which at least half of the layers are global.
  > half-must-be-global: Work that needs neighbours only, such as putting a name beside its value,
    is done by local layers. What remains is one look into the distance.
""",
)
