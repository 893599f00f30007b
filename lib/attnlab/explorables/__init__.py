"""Interactive figures, one folder each: a Python class and its front end in TypeScript.

In a notebook an explorable is a widget (anywidget), in a page of the book a custom element that
needs no kernel. Its TypeScript draws it everywhere: the build has it draw the first state into the
page, for paper and for readers without JavaScript.
"""

from attnlab.explorables.attention_row import AttentionRow
from attnlab.explorables.axial_grid import AxialGrid
from attnlab.explorables.circuit import Circuit
from attnlab.explorables.context_vector import ContextVector
from attnlab.explorables.fault_checks import FaultChecks
from attnlab.explorables.gradient_draws import GradientDraws
from attnlab.explorables.head_browser import HeadBrowser
from attnlab.explorables.layer_stack import LayerStack
from attnlab.explorables.lsh_circle import LshCircle
from attnlab.explorables.mask_paint import MaskPaint
from attnlab.explorables.online_softmax import OnlineSoftmax
from attnlab.explorables.patches import Patches
from attnlab.explorables.pipeline import Pipeline
from attnlab.explorables.reach import Reach
from attnlab.explorables.rotary_dial import RotaryDial
from attnlab.explorables.saturation import Saturation
from attnlab.explorables.score_functions import ScoreFunctions
from attnlab.explorables.self_cross import SelfCross
from attnlab.explorables.sink import Sink
from attnlab.explorables.soft_dictionary import SoftDictionary
from attnlab.explorables.tiles import Tiles
from attnlab.explorables.transformer_blocks import TransformerBlocks
from attnlab.explorables.translation import Translation
from attnlab.explorables.window_mask import WindowMask
from attnlab.explorables.writer import Writer
from attnlab.explorables.your_writer import YourWriter

__all__ = [
    "AttentionRow",
    "AxialGrid",
    "Circuit",
    "ContextVector",
    "FaultChecks",
    "GradientDraws",
    "HeadBrowser",
    "LayerStack",
    "LshCircle",
    "MaskPaint",
    "OnlineSoftmax",
    "Patches",
    "Pipeline",
    "Reach",
    "RotaryDial",
    "Saturation",
    "ScoreFunctions",
    "SelfCross",
    "Sink",
    "SoftDictionary",
    "Tiles",
    "TransformerBlocks",
    "Translation",
    "WindowMask",
    "Writer",
    "YourWriter",
]
