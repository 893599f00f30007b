"""Learned positions for $128 = 8 \\cdot 16$ tokens, 64 numbers wide. Instead of one table of 128
rows there are two: the first has 8 rows of 24 numbers, the second 16 rows of 40. The position of a
token is a row of the first and a row of the second, side by side.
"""

from coursekit import quiz

quiz(
    title="Predict: two small tables",
    hints=["A table of 8 rows, each 24 wide, has how many numbers?"],
    questions=r"""
## numbers_learned (± 0)
How many numbers are learned, in both tables together?
- [x] 832 > 8 · 24 + 16 · 40 = 192 + 640, instead of 128 · 64 = 8192.
- [ ] 8192 > full-table: 8192 is the one large table, 128 · 64.
- [ ] 704 > crossed: 704 = 8 · 40 + 16 · 24 exchanges the widths: 8 rows go with 24 columns, and 16
  rows with 40.
- [ ] 122880 > product: 122,880 is the product of both sizes. The tables are separate: add their
  sizes.
- [ ] 1536 > widths-both: 1536 = (8 + 16) · 64. Neither table has the full width of 64; their two
  widths add up to it.
- [ ] 192 > first-only: 192 is the first table. The second has 16 · 40 more.
- [ ] 640 > second-only: 640 is the second table. The first has 8 · 24 more.
- [ ] 24 > rows: 24 is the number of rows in both tables, and the width of the first. Each row holds
  24 or 40 numbers.
- [ ] 128 > pairs: 128 is the number of positions. The question is how many numbers the tables hold.
- [ ] else > How many numbers does a table of 8 rows hold, each 24 wide? And the other one?

## how_many_rows
How many *different* positions can the two tables make?
- [ ] 24: one for each row
  > rows-added: A position takes a row of each table. How many pairs of rows are there?
- [ ] 16: as many as the longer table has
  > longer-only: The shorter table varies too: there are 8 times 16 pairs.
- [ ] 832: one for each number learned
  > numbers-are-positions: A position takes a whole row of each table. How many pairs of rows are
    there?
- [x] 128: one for each pair of rows
  > Yes, as long as no table repeats a row. Tokens share rows, but no two of them share both.
""",
)
