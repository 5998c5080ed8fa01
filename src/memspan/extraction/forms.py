"""The forms in which a chat model answers; pydantic is imported with them."""

from __future__ import annotations

from pydantic import BaseModel, Field


class AtomicClaim(BaseModel):
    """One atomic statement and the words that say it."""

    text: str = Field(
        description="one statement that stands alone: names instead of pronouns, dates not relative"
    )
    quote: str = Field(description="the words of the text that say it, copied exactly")
    speaker: str | None = Field(default=None, description="who says it, where somebody does")
    time: str | None = Field(default=None, description="when it is true, in ISO 8601, where the text says")


class AtomicClaims(BaseModel):
    """All statements of a window."""

    claims: list[AtomicClaim]
