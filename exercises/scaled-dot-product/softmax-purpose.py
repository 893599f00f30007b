"""Take the four steps again: score, scale, softmax, sum."""

from coursekit import quiz

quiz(
    title="What is the softmax for?",
    questions=r"""
## softmax_purpose
What is the main purpose of the softmax in attention?
- [ ] To keep the scores from growing with the width of the keys
  > softmax-scales: That is what the division by √d_k is for, and it comes before. The softmax gets
    scores that are scaled already.
- [ ] To find the key with the largest score
  > softmax-selects: An arg max does that. The softmax gives the best key the largest weight, and
    every other key some weight too.
- [x] To turn each query's scores into positive weights that sum to 1
  > Yes. Such numbers are called a probability distribution, here over the keys. It also makes
    differences count more, and it can be differentiated.
- [ ] To compute how similar each query is to each key
  > softmax-compares: That is the score, a dot product. The softmax comes after it and does not look
    at queries and keys.
""",
)
