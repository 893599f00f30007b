"""A classifier of film reviews uses attention. On one review it puts 0.9 of its weight on *awful*
and answers "bad". What may be said?
"""

from coursekit import quiz

quiz(
    title="What may be said?",
    questions=r"""
## from_the_map
Which sentence follows from the weights alone?
- [ ] The model answered “bad” because of *awful*.
  > weight-is-cause: A cause shows when you change something. Take the word out, or put another in
    its place, and look at the answer.
- [x] In this layer, 0.9 of the mixture is the value at the position of *awful*.
  > Yes, and no more than that. It is what weights are by definition.
- [ ] Other words had nothing to do with the answer.
  > rest-is-nothing: The layer before may have mixed them into that position, and the other 0.1 of
    the weight is theirs.
- [ ] The model understands that *awful* is negative.
  > weight-is-understanding: The weights say where a vector came from, not what it means to the
    layers that read it.

## the_test
Which experiment tests “the answer depends on *awful*” most directly?
- [x] Replace *awful* by *superb* in this and in many other reviews, and count how often the answer
  changes.
  > Yes: change the cause, keep everything else, watch the effect, and do so many times.
- [ ] Draw the weights of all heads for this review.
  > more-maps: These are more pictures of the same kind. None of them changes anything.
- [ ] Train the model again with another seed and compare the weights.
  > stability-is-cause: That shows how stable the map is, but it does not test whether the answer
    depends on the word.
- [ ] Ask ten readers which word they find most important.
  > plausible-is-faithful: That tells whether the map is plausible to people. The model may work in
    another way.
""",
)
