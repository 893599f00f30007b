"""A stack of 4 convolutions, each with a kernel of 3 words: the word itself and the two before it.

In our sentences a word with its article is one token. *The apple* is the first token, then come
$p$ phrases of two tokens each (*under | the tree*), then *had been*, then *picked*.
"""

from coursekit import quiz

quiz(
    title="Predict: the reach of a convolution",
    hints=[
        "With one layer the last position sees itself and 2 tokens before it. What does each of "
        "those see through a second layer?",
        "Count tokens for p = 1: the apple | under | the tree | had been | picked. How far is it "
        "from the last token to the first?",
    ],
    questions=r"""
## tokens_back (± 0 tokens)
How many tokens back can the last position see through all 4 layers?
- [x] 8 > Each layer looks 2 tokens further back: 4 · 2 = 8.
- [ ] 12 > kernel-per-layer: 12 is 4 · 3. A kernel of 3 includes the word itself, so each layer adds
  2 new tokens.
- [ ] 9 > itself: 9 is the number of tokens that it sees, with itself. How many of them stand before
  it?
- [ ] 2 > one-layer: 2 is right for one layer. The second layer reads positions that have themselves
  looked 2 back.
- [ ] 3 > kernel-once: 3 is the kernel of one layer, with the word itself. How far do four layers
  reach?
- [ ] 4 > layers: 4 is the number of layers. Each of them adds two tokens.
- [ ] 16 > both-sides: 16 would be right if each layer reached 4 words further. Three words are the
  word itself and the two before it.
- [ ] 81 > multiplied: 81 is 3⁴. The reach adds up from layer to layer: each one adds the two tokens
  before.

## first_blind (± 0 phrases)
What is the smallest number of phrases $p$ at which the vector of *picked* no longer depends on *the
apple*?
- [x] 4 > The subject stands 2p + 2 tokens before the participle. At p = 3 that is 8, just in reach;
  at p = 4 it is 10.
- [ ] 5 > one-too-far: At p = 5 the subject is 12 tokens back. It is out of reach at a smaller p
  already: how far back is it at p = 4?
- [ ] 3 > last-seen: At p = 3 the subject is 8 tokens back, which is just within reach.
- [ ] 8 > tokens-seen: 8 is the number of tokens back that it can see. The question asks for
  phrases, and a phrase has two tokens.
- [ ] 9 > first-distance: 9 is the first distance in tokens that is out of reach. The question asks
  for phrases, and a phrase has two tokens.
- [ ] 10 > tokens-for-phrases: 10 is the distance in tokens. The question asks for phrases, and a
  phrase has two tokens.
- [ ] 7 > phrase-is-a-token: 7 would be right if a phrase were one token. A phrase has two, so the
  subject is 2p + 2 tokens back.
- [ ] 6 > kernel-per-layer-reach: 6 would be right if each layer added 3 tokens. A kernel of 3
  includes the word itself, so each layer adds 2.
- [ ] 1 > one-layer-reach: 1 is right for one layer. Four of them reach 8 tokens back.
""",
)
