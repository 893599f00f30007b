"""The chapter's interactive figure."""

from walks.explorables.spread import Spread

__all__ = ["Spread"]
