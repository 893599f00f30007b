"""Self-attention or cross-attention? Where do queries, keys and values come from?"""

from coursekit import quiz

quiz(
    title="Which sequence attends to which?",
    questions=r"""
## question
A model answers questions about a text. Each word of the question needs a vector that holds what the
text says about it. What are the queries computed from?
- [x] from the question
  > Yes: the output has one row for each query, and each word of the question needs one.
- [ ] from the text, since the answer is there
  > asked-is-query: The text supplies the content, so keys and values are computed from it. The
    output has a row for each query.
- [ ] from both, joined into one sequence
  > one-sequence: That is self-attention over one long sequence. It can work, but then the text
    attends to the question as well.

## once
A translator writes 20 tokens, one after another. How often must the keys and values of its
cross-attention be computed?
- [ ] 20 times, again for each token
  > anew-each-step: They are computed from the source, which does not change.
- [ ] never: they are parameters of the model
  > keys-are-parameters: The matrices are parameters. Keys and values are computed from the
    sentence.
- [x] once
  > Yes: they belong to the source, which is complete from the start. Only the query is new.

## deep
The third layer of an encoder is self-attention. What are its keys computed from?
- [ ] from the embeddings of the sentence
  > embeddings-everywhere: The embeddings are the input of the first layer only.
- [ ] from the keys of the second layer
  > keys-passed-on: A layer's keys serve its own scores. The next layer gets the layer's output.
- [x] from the input of the same layer as its queries and values: the second layer's output
  > Yes. Self-attention computes all three from the sequence that the layer gets.

## square
A matrix of weights is square. Was it self-attention?
- [ ] Yes > square-is-self: Two sentences of the same length give a square matrix as well.
- [x] The shape does not tell
  > Yes. A matrix that is not square cannot be self-attention; a square one can be either.
- [ ] Only if it is symmetric
  > self-is-symmetric: Queries and keys have different matrices, and each row is normalised
    separately, so even self-attention is rarely symmetric.
""",
)
