"""What the course shows with `attn`: experiments, explorables, figures and their drawing."""
