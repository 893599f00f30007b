"""DeepSeek-V2 has 128 heads, each with keys and values of width 128. For each token and
layer its cache has a latent of width 512, from which the keys and values of all heads are made, and
one rotary key of width 64, which all heads share.
"""

from coursekit import quiz

quiz(
    title="Predict: the cache of latents",
    hints=["Which of the stored vectors belong to a head, and which are shared by all?"],
    questions=r"""
## all_heads (± 0)
How many numbers would be cached for one token and layer if all heads kept their keys and values?
- [x] 32768 > 2 · 128 · 128.
- [ ] 16384 > one-of-two: 16,384 counts the keys alone. The values take as many numbers.
- [ ] 65536 > in-bytes: 65,536 is twice the number: the bytes, if each number takes two. The
  question is about numbers.
- [ ] 256 > one-head: 256 is one head. There are 128.
- [ ] 128 > heads-or-width: 128 is the number of heads, or the width of one. Multiply.
- [ ] else > Keys and values, for each head, of the width of a head.

## latents (± 0)
How many numbers does the cache of latents have for one token and layer?
- [x] 576 > The latent and the shared rotary key, 512 + 64. Neither is multiplied by the number of
  heads.
- [ ] 512 > no-rotary: 512 is the latent. The rotary key is stored beside it.
- [ ] 1088 > two-latents: 1088 has two latents. Keys and values are made from the same one.
- [ ] 1152 > both-twice: 1152 counts both twice. Keys and values are made from one latent, and
  values are not rotated.
- [ ] 640 > rotary-twice: 640 has two rotary keys. Values are not rotated.
- [ ] 8704 > rotary-per-head: 8704 has a rotary key for each of 128 heads. They share one.
- [ ] 65600 > latent-per-head: 65,600 has a latent for each head. They share one.
- [ ] 32768 > all-heads: 32,768 is what is no longer stored: the keys and values of all heads.
- [ ] else > Add what is stored: one latent, one rotary key.
""",
)
