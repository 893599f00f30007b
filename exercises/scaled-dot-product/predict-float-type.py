"""`scores` is an array of `float32`, and you scale it as many tutorials do:

```python
d_k = 64
scores = scores / np.sqrt(d_k)
```
"""

from coursekit import quiz

quiz(
    title="Predict: which type comes out?",
    questions=r"""
## float_type
What is `scores.dtype` afterwards, in NumPy 2?
- [ ] `float32`: dividing by one number changes nothing
  > scalars-do-not-count: That was so in NumPy 1. In NumPy 2 a NumPy scalar counts like an array,
    and `np.sqrt(64)` is a `float64`.
- [ ] `float16`: 64 is small enough
  > value-based: A type never shrinks because a number is small. The wider type of the two wins.
- [ ] It depends on whether the root is a whole number
  > value-based: `np.sqrt(64)` is exactly 8.0, and still a `float64`. The type counts, not the
    value.
- [x] `float64`
  > Yes: `np.sqrt` of a Python int returns a `float64`, and the result takes the wider type.
    Everything after it needs twice the memory.
""",
)
