"""Numbers of *interpretation*."""

from attnlab.claims import NEXT_TO_NO_WEIGHT
from attnlab.data.minilm_heads import SENTENCES, load, offset
from attnlab.experiments import load as result
from attnlab.experiments.sentiment import MORE, TWO

BIGRU, WEIGHT = "BiGRU with attention: ", f"{TWO}: weight on the adjective"
#: The weight that the head of the figure gives to the next token, by sentence.
following = [offset(load(sentence).weights, 1)[1, 8] for sentence in SENTENCES]
#: The share of words without effect, by model.
without_effect = [
    result("importance").mean(f"{model}: words without effect", 4)
    for model in ("one layer", "BiGRU", "Transformer")
]
#: The weight on *not* before the adjective in those of nine more models in which it has some.
on_not = result("sentiment")[f"{TWO}{MORE}: weight on not before the adjective"].at(8)
on_not = on_not[on_not >= NEXT_TO_NO_WEIGHT]
#: How often the most weight and the most effect agree at least, with words swapped for others.
swapped = min(
    result("importance")[f"{model}, swapped: largest agree"].array.min()
    for model in ("BiGRU", "Transformer")
)
