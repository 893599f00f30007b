"""Show attention with `attn`: experiments, explorables, figures and their drawing."""
