"""The form that a chat model fills with what claims say together."""

from pydantic import BaseModel, Field


class ComposedItem(BaseModel):
    """One thing that follows from several claims, and from which."""

    text: str = Field(description="one short sentence that can be understood on its own")
    claims: list[str] = Field(description="ids of the claims that it follows from, two or more")


class ComposedItems(BaseModel):
    """All that a model proposes for one group of claims."""

    items: list[ComposedItem]
