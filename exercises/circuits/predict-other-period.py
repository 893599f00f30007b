"""Models A and B have the same layers and see texts of 48 tokens. Model A was trained on texts that
begin again every 16 tokens, model B on texts whose periods vary from 8 to 24. On texts of period 16
both predict every repeated token correctly. In each, a head of layer 2 has the same map: from the
second round on, it looks 15 places back.
"""

from coursekit import quiz

quiz(
    title="Predict: the same map, another text",
    hints=[
        "Which rules would give exactly this map on a text of period 16? Find two.",
        "In model B, the query of a token has to fit the key *behind* the same token. What must "
        "that key know?",
    ],
    questions=r"""
## period_11
Both models now continue texts that begin again every 11 tokens. Which of them do so nearly without
errors?
- [ ] Both: each has a head that looks at what followed the current token
  > map-is-mechanism: At period 16, what followed always stands 15 places back, so this map cannot
    tell a head that looks for it from one that counts places.
- [x] Model B only
  > Yes. For model A, “15 places back” was always right, and it learned nothing else. Model B could
    not learn a fixed distance.
- [ ] Neither: the words are drawn at random for each text
  > random-words: They were in training, too. Both have learned something that does not depend on
    the words; the question is what.
- [ ] Model A only: it was trained on one period and knows it well
  > specialist-transfers: It knows period 16 well. Nothing in its training asked it to find out
    where a text began to repeat.

## without_layer_1
The period is 16 again. We switch off both heads of *layer 1*. Which model still continues the
texts?
- [ ] Neither: each needs both of its layers
  > all-layers-needed: To look a fixed number of places back, a head needs to know no token at all,
    so one layer is enough for model A.
- [ ] Both: the maps are of heads of layer 2
  > last-layer-suffices: A head of layer 2 finds the key behind the same token only if that key says
    which token stands before it. Where would that come from?
- [x] Model A only
  > Yes. In model B, layer 1 tells each position which token stands before it, and layer 2 looks for
    that. Model A counts places.
""",
)
