"""The forms that a chat model fills when it judges notes and answers, or answers itself."""

from pydantic import BaseModel, Field


class Verdict(BaseModel):
    """Which of the numbered notes answer, alone or together, and how sure the model is."""

    alone: list[int] = Field(description="numbers of the notes each of which answers by itself, best first")
    together: list[int] = Field(
        description="only where no note answers by itself: numbers of the fewest notes that answer together"
    )
    sure: int = Field(ge=0, le=100, description="how sure you are, from 0 for a guess to 100")


class Right(BaseModel):
    """Whether an answer says what the right answer says, and how sure the model is."""

    right: bool = Field(description="whether the answer to judge is right")
    sure: int = Field(ge=0, le=100, description="how sure you are, from 0 for a guess to 100")


class Said(BaseModel):
    """An answer from notes."""

    known: bool = Field(description="whether the notes answer the question")
    answer: str = Field(description="the answer in as few words as possible; empty where it is not known")
