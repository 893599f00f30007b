"""Numbers of *self-and-cross*."""

from attnlab.explorables import SelfCross

cross, own = SelfCross().weights(), SelfCross(attention="self").weights()
