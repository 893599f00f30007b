"""Dot, scaled dot, general, additive. Which is which?"""

from coursekit import quiz

quiz(
    title="Choose a score",
    questions=r"""
## widths
Queries are 512 wide, keys 300. Which scores work as they are?
- [ ] dot and scaled dot
  > dot-with-any-width: A dot product needs equal widths: 512 numbers cannot be multiplied in pairs
    with 300.
- [ ] additive only > square-general: The matrix W of the general score need not be square.
- [ ] all of them, by broadcasting
  > broadcasts: Broadcasting repeats axes of length 1. It does not fit 512 to 300.
- [x] general and additive
  > Yes: W has shape (512, 300), and the additive score has a matrix for each side.

## megabytes (± 0.1 MiB)
The additive score of 1,024 queries with 1,024 keys, `d_hidden` 64, float32 (4 bytes). How many MiB
(1,048,576 bytes) does one array of all hidden vectors take, one vector for each pair?
- [x] 256 > 1024 · 1024 pairs, 64 numbers each, 4 bytes a number.
- [ ] 4 > scores-only: 4 MiB is the array of scores, one number for each pair. Each pair has a
  hidden vector of 64 numbers.
- [ ] 64 > bytes-forgotten: 64 counts the numbers, in units of 1,048,576. Each takes 4 bytes.
- [ ] 512 > double: 512 MiB would be float64, or two such arrays. Here a number takes 4 bytes, and
  one array is asked for.
- [ ] 268.435 > million-bytes: That counts in millions of bytes. One MiB has 1,048,576.
- [ ] 0.25 > gibibytes: That is the answer in GiB. MiB are asked for.
- [ ] 262144 > kibibytes: That is the answer in KiB. MiB are asked for.
- [ ] 2048 > bits: That counts bits. A byte has 8 of them.
- [ ] 0.5 > sides-only: That is one vector for each query and each key. Each *pair* has one.

## impossible
All values lie between 0 and 1. With which score can an output be 1.2?
- [x] with none > Yes. The score determines the weights, and any weights give a mean of the values.
- [ ] general: its matrix can make any score as large as it likes
  > score-scales-output: A large score makes one weight large, and no weight is larger than 1.
- [ ] dot, without the root
  > unscaled-leaves-hull: The root changes how sharp the weights are. They still sum to 1.
- [ ] additive: a small network computes anything
  > network-leaves-hull: It computes the scores. What follows is still a weighted mean of the
    values.
""",
)
