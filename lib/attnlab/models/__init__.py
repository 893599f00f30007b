"""Define the small models that experiments train, how they train, and the weights that ship.

Where a model has attention, ``forward_with_weights`` returns its weights beside its logits.
"""
