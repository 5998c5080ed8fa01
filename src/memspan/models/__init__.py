"""Embedders and chat models behind the protocols of `memspan.ports`; nothing here decides anything."""

from memspan.models.answers import Answers, cache_folder
from memspan.models.cached import Cached
from memspan.models.exchange import Patience
from memspan.models.function import function_chat
from memspan.models.hashed import HashedEmbedder
from memspan.models.named import Remembered, embedder_named
from memspan.models.onnx import OnnxEmbedder
from memspan.models.openai import OpenAIChat
from memspan.models.spending import Capped, Price, Tally, estimate, price_of, tokens_of

__all__ = [
    "Answers",
    "Cached",
    "Capped",
    "HashedEmbedder",
    "OnnxEmbedder",
    "OpenAIChat",
    "Patience",
    "Price",
    "Remembered",
    "Tally",
    "cache_folder",
    "embedder_named",
    "estimate",
    "function_chat",
    "price_of",
    "tokens_of",
]
