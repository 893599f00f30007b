"""Interactive figures, one folder each: a Python class and its front end in TypeScript.

In a notebook an explorable is a widget (anywidget), in a page of the book a custom element that
needs no kernel. Its TypeScript draws it everywhere: the build has it draw the first state into the
page, for paper and for readers without JavaScript.
"""

from attnlab.explorables.attention_row import AttentionRow as AttentionRow
from attnlab.explorables.axial_grid import AxialGrid as AxialGrid
from attnlab.explorables.circuit import Circuit as Circuit
from attnlab.explorables.context_vector import ContextVector as ContextVector
from attnlab.explorables.fault_checks import FaultChecks as FaultChecks
from attnlab.explorables.gradient_draws import GradientDraws as GradientDraws
from attnlab.explorables.head_browser import HeadBrowser as HeadBrowser
from attnlab.explorables.layer_stack import LayerStack as LayerStack
from attnlab.explorables.lsh_circle import LshCircle as LshCircle
from attnlab.explorables.mask_paint import MaskPaint as MaskPaint
from attnlab.explorables.online_softmax import OnlineSoftmax as OnlineSoftmax
from attnlab.explorables.patches import Patches as Patches
from attnlab.explorables.pipeline import Pipeline as Pipeline
from attnlab.explorables.reach import Reach as Reach
from attnlab.explorables.rotary_dial import RotaryDial as RotaryDial
from attnlab.explorables.saturation import Saturation as Saturation
from attnlab.explorables.score_functions import ScoreFunctions as ScoreFunctions
from attnlab.explorables.self_cross import SelfCross as SelfCross
from attnlab.explorables.sink import Sink as Sink
from attnlab.explorables.soft_dictionary import SoftDictionary as SoftDictionary
from attnlab.explorables.tiles import Tiles as Tiles
from attnlab.explorables.transformer_blocks import TransformerBlocks as TransformerBlocks
from attnlab.explorables.translation import Translation as Translation
from attnlab.explorables.window_mask import WindowMask as WindowMask
from attnlab.explorables.writer import Writer as Writer
from attnlab.explorables.your_writer import YourWriter as YourWriter
