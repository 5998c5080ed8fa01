"""The form that a chat model fills when it judges which notes answer a question."""

from pydantic import BaseModel, Field


class Verdict(BaseModel):
    """Which of the numbered notes answer, alone or together, and how sure the model is."""

    alone: list[int] = Field(description="numbers of the notes each of which answers by itself, best first")
    together: list[int] = Field(
        description="only where no note answers by itself: numbers of the fewest notes that answer together"
    )
    sure: int = Field(ge=0, le=100, description="how sure you are, from 0 for a guess to 100")
