"""Layers, models and what trains them in torch; the functions of `attn` take tensors themselves."""

from attn.torch.additive import AdditiveScore
from attn.torch.axial import AxialPositions
from attn.torch.decoding import greedy_decode
from attn.torch.differential import DifferentialAttention
from attn.torch.estimators import score_function_loss
from attn.torch.latent import MultiHeadLatentAttention
from attn.torch.layers import DecoderLayer, EncoderLayer
from attn.torch.multi_head import MultiHeadAttention
from attn.torch.stacks import Decoder, Encoder
from attn.torch.transformer import Transformer

__all__ = [
    "AdditiveScore",
    "AxialPositions",
    "Decoder",
    "DecoderLayer",
    "DifferentialAttention",
    "Encoder",
    "EncoderLayer",
    "MultiHeadAttention",
    "MultiHeadLatentAttention",
    "Transformer",
    "greedy_decode",
    "score_function_loss",
]
