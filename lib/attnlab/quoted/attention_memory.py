"""Numbers of *attention-memory*."""

import attn
from attnlab.experiments.forgetting import KINDS, named

WHOLE, FIXED, COMPUTED = KINDS
WIDE, SECOND = named(WHOLE, 32), ": second text"

_MODEL = {"num_layers": 26, "num_kv_heads": 1, "head_dim": 256, "bytes_per_number": 2}
whole = attn.cache_size(32768, **_MODEL) / 2**20
mixed = attn.cache_size(32768, **_MODEL, local_per_global=5, local_tokens=512) / 2**20
latent = attn.cache_size(1, d_latent=512, rotary_dim=64)
