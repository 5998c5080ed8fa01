"""The JSON document of an audit: stable keys that others rely on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from memspan import __version__
from memspan.audit import Audit, Confidence

if TYPE_CHECKING:
    from memspan.diagnosis import Evaluation
    from memspan.report.audit_words import Needs


def document(
    audits: Sequence[Audit], needs: Needs | None, placed: Evaluation | None = None
) -> dict[str, Any]:
    """Return *audits* as one JSON document; shares are of all tokens of a store, in [0, 1].

    Where the store was *placed* under the frontier of its transcript, that is `memspan evaluate`'s document.
    """
    asked = {} if needs is None else {"questions": asdict(needs)}
    if placed is not None:
        from memspan.cli.evaluation_document import document as evaluation

        asked["evaluation"] = evaluation(placed)
    return {"version": __version__, "materials": [_material(each) for each in audits], **asked}


def _material(audit: Audit) -> dict[str, Any]:
    return {
        "id": audit.material.id,
        "store": audit.material.extra.get("store"),
        "memories": audit.memories,
        "tokens": audit.all_tokens,
        "removable": {
            "all": _sum(audit, None),
            "sure": _sum(audit, "sure"),
            "likely": _sum(audit, "likely"),
            "kinds": audit.counts(),
        },
        "removals": [asdict(each) for each in audit.removals],
        "findings": [asdict(each) for each in audit.findings],
        "growth": asdict(audit.growth),
        "longest": [{"memory": name, "tokens": tokens} for name, tokens in audit.longest()],
        "unread": [asdict(each) for each in audit.unread],
        "limits": list(audit.limits),
        "transcript": None if audit.heard is None else asdict(audit.heard),
    }


def _sum(audit: Audit, confidence: Confidence | None) -> dict[str, Any]:
    some = audit.removable(confidence)
    tokens = sum(each.tokens for each in some)
    return {"memories": len(some), "tokens": tokens, "share": audit.share(some)}
