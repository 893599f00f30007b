"""26 layers: five local ones, then a global one, and so on; the last two are local. A layer keeps a
key and a value for each token, each of width 256, in 2 bytes per number. A global layer keeps all
tokens, a local one the newest 512. One MiB is $2^{20}$ bytes.
"""

from coursekit import quiz

quiz(
    title="Predict: the cache of a mix",
    hints=[
        "Every sixth layer is global: the 6th, the 12th, and so on up to 26.",
        "Count 4 global layers and 22 local ones.",
    ],
    questions=r"""
## global_mib (± 0.01 MiB)
How many MiB does the cache of *one global* layer take after 32,768 tokens?
- [x] 32 > 2 · 256 · 2 bytes are 2¹⁰ for each token, times 2¹⁵ tokens: 2²⁵.
- [ ] 16 > one-of-two: 16 MiB is the size of the keys alone, or one byte per number.
- [ ] 832 > all-layers: 832 MiB is the size of 26 such layers. The question is about one.
- [ ] 32768 > in-kib: 32768 is the size in KiB. One MiB has 1024 KiB.
- [ ] 64 > four-bytes: 64 MiB is twice as much: 4 bytes per number, or keys and values counted
  twice.
- [ ] 0.5 > local-layer: 0.5 MiB is a local layer, with 512 tokens.
- [ ] 33.55 > mega: You divided by a million. One MiB is 2²⁰ bytes.
- [ ] else > Multiply: key and value, width, bytes, tokens. Divide by 2²⁰.

## mixed_mib (± 0.1 MiB)
How many MiB do all 26 layers take together?
- [x] 139 > Four global layers, 4 · 32, and 22 local ones of half a MiB each.
- [ ] 832 > all-global: 832 MiB would be 26 global layers.
- [ ] 170.5 > five-global: That has five global layers. The 6th, 12th, 18th and 24th are global.
- [ ] 128 > global-only: 128 MiB is the size of the global layers. The 22 local ones also keep
  something.
- [ ] 13 > local-only: 13 MiB would be 26 local layers.
- [ ] 138.67 > sixth-of-all: A sixth of 832 leaves out the local layers, and 26 is not a multiple
  of 6.
- [ ] 149.5 > fractions: 149.5 counts 26 / 6 = 4.33 layers as global. There are no thirds of a
  layer: count them.
- [ ] 44.5 > one-global: That has one global layer of 26. There is one in every six.
- [ ] 706 > exchanged: That has 22 global layers and 4 local ones. It is the other way round.
- [ ] else > How many of the 26 layers are global? A local one keeps 512 tokens.
""",
)
