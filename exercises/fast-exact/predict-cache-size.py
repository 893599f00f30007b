"""A model of 32 layers, each with 32 heads of width 128, has read 8192 tokens. Its keys **and** its
values are kept in a cache, in 2 bytes per number.
"""

from coursekit import quiz

quiz(
    title="Predict: the size of a cache",
    hints=[
        "For one token: how many numbers does one layer keep? Keys and values, for each head.",
        "$2 \\cdot 32 \\cdot 128$ numbers for each token and layer; times 32 layers, 8192 tokens, "
        "2 bytes.",
    ],
    questions=r"""
## cache_gib (± 0.02 GiB)
How many GiB does the cache of one text take? One GiB is $2^{30}$ bytes. $32 = 2^5$, $128 = 2^7$,
$8192 = 2^{13}$.
- [x] 4.0 > Keys and values are 2, times 2⁵ layers, 2⁵ heads, 2⁷ features, 2¹³ tokens and 2 bytes:
  2³² bytes.
- [ ] 2.0 > one-of-two: 2 GiB is half of it: keys *and* values are kept, in 2 bytes per number.
- [ ] 0.125 > one-layer: That is one layer. Each of the 32 layers has keys and values of its own.
- [ ] 8.0 > four-bytes: 8 GiB would be right for 4 bytes per number. Here a number takes 2.
- [ ] 1.0 > one-byte-or-keys: 1 GiB is a quarter. Two factors of 2 are easily forgotten: keys and
  values, and 2 bytes per number.
- [ ] 4096.0 > in-mib: 4096 is the size in MiB. One GiB has 1024 MiB.
- [ ] 128.0 > scores: 128 GiB would be 32 times as much as is kept. Each of 32 layers has 32 heads:
  count each factor once.
- [ ] 32768.0 > squared: That counts 8192 twice. The cache keeps one key and one value per token;
  the scores, one per pair of tokens, are not kept.
- [ ] 4.295 > giga: You divided by 10⁹. A GiB is 2³⁰ bytes.
- [ ] else > Multiply six numbers: keys and values, layers, heads, width, tokens, bytes. As powers
  of two, add their exponents, and divide by 2³⁰.

## grouped_gib (± 0.01 GiB)
Now every four query heads share one head of keys and values, so there are 8 heads of keys and
values. How many GiB does the cache take?
- [x] 1.0 > A quarter of the key and value heads, a quarter of the cache. The queries are not kept,
  so their number does not matter.
- [ ] 4.0 > queries-count: The cache shrinks. There are still 32 query heads, but queries are not
  kept: count the heads of keys and values.
- [ ] 2.0 > halved: 2 GiB would be 16 heads of keys and values. Four query heads share one, which
  leaves 8.
- [ ] 2.5 > keys-shared-only: 2.5 is right if only the keys are shared, or only the values. Both
  are.
- [ ] 0.5 > divided-by-eight: 0.5 GiB would be 4 heads of keys and values, or half of the cache
  of 8. There are 8, each with keys and values.
- [ ] 0.125 > multi-query: 0.125 GiB is right for a single head of keys and values. There are 8.
- [ ] 1024.0 > grouped-mib: 1024 is the size in MiB. One GiB has 1024 MiB.
- [ ] 0.25 > quarter-squared: 0.25 GiB is a sixteenth. The number of heads counts once: 8 in place
  of 32.
- [ ] else > What is kept are the heads of keys and values. There are 8 of them where there were 32.
""",
)
