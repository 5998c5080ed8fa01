"""Files to materials and back: memspan's own format, public data sets, bundled examples."""

from memspan.datasets.amending import Correction, Entry, Revocation, in_force
from memspan.datasets.catalogue import CATALOGUE, Fetched, PublicSet, fetch
from memspan.datasets.format import Format
from memspan.datasets.locomo_audit import with_audit
from memspan.datasets.merging import merge
from memspan.datasets.published import schema
from memspan.datasets.question_log import QuestionLog, read_questions, with_questions
from memspan.datasets.reading import load
from memspan.datasets.registry import FORMATS
from memspan.datasets.settling import (
    SettlementLog,
    append_settlements,
    read_settlements,
    write_settlements,
)
from memspan.datasets.shelf import BUNDLED, bundled
from memspan.datasets.source import Source
from memspan.datasets.stores.formats import STORES, StoreKind
from memspan.datasets.stores.reading import read_store
from memspan.datasets.writing import save

__all__ = [
    "BUNDLED",
    "CATALOGUE",
    "FORMATS",
    "STORES",
    "Correction",
    "Entry",
    "Fetched",
    "Format",
    "PublicSet",
    "QuestionLog",
    "Revocation",
    "SettlementLog",
    "Source",
    "StoreKind",
    "append_settlements",
    "bundled",
    "fetch",
    "in_force",
    "load",
    "merge",
    "read_questions",
    "read_settlements",
    "read_store",
    "save",
    "schema",
    "with_audit",
    "with_questions",
    "write_settlements",
]
