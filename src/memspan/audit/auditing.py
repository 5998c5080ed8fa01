"""The audit itself: every look at the store, then what could go."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from memspan.audit.bridging import bridges_of
from memspan.audit.defects import empty, vague, without_provenance, without_scope
from memspan.audit.exact import exact_duplicates
from memspan.audit.findings import REMOVABLE, Audit, Finding, Heard, Removal
from memspan.audit.growing import growth_of
from memspan.audit.near import near_duplicates
from memspan.audit.prompts import boilerplate
from memspan.audit.reading import Reading, readings_of
from memspan.audit.recalled import HANDED_OUT, noise, recalled
from memspan.audit.versions import superseded
from memspan.language.tokens import count_tokens
from memspan.material import Material
from memspan.ports import Embedder

_ASSISTANTS = frozenset({"assistant", "ai", "bot", "agent", "model", "chatgpt", "claude", "gemini"})
_MACHINE_MADE = frozenset({"recalled", "noise", "boilerplate"})
_GONE = frozenset({"exact", "version", *_MACHINE_MADE})
Told = Callable[[str, int, int], None]
"""Hears which step begins, how many are done, and how many there are."""


def audit(
    material: Material,
    *,
    transcript: Material | None = None,
    embedder: Embedder | None = None,
    seconds: float = 60.0,
    told: Told | None = None,
) -> Audit:
    """Say what a store of memories holds that it need not: no question, no model, no change.

    Args:
        material: a store; its claims are the memories, with their `extra["scope"]` where known.
        transcript: turns with speakers, to find what an assistant handed out and was stored again.
        embedder: finds near duplicates that share few words; without it, words decide.
        seconds: time after which memories are no longer compared; `Audit.limits` then says so.
        told: hears how far it is.

    Returns:
        Findings, the memories that could go, and how the store grew. Tokens are estimates.

    >>> from memspan.material import Claim
    >>> store = Material("s", (Claim("a", "Ana lives in Porto."), Claim("b", "ana lives in Porto!")))
    >>> [(each.memory, each.kind, each.keep) for each in audit(store).removals]
    [('a', 'exact', 'b')]
    """
    started = time.monotonic()
    say = told or (lambda *_: None)
    say("reading", 0, 5)
    readings, limits = readings_of(material), []
    findings = list(_alone(readings))
    gone = {each.memories[0] for each in findings if each.kind == "empty"}
    legible = [each for each in readings if each.claim.id not in gone]
    say("the same text", 1, 5)
    turns = [] if transcript is None else _handed(transcript)
    findings += [*exact_duplicates(legible), *recalled(legible, turns), *noise(legible)]
    say("versions", 2, 5)
    findings += superseded(_without(legible, findings, _MACHINE_MADE))
    say("other words", 3, 5)
    free = _without(legible, findings, _GONE)
    spent = time.monotonic
    bridges, cut = bridges_of(free, embedder, seconds - (spent() - started)) if embedder else ({}, [])
    near, more = near_duplicates(free, bridges, lambda: spent() - started > seconds)
    limits += [*cut, *more]
    findings += near
    say("growth", 4, 5)
    tokens = tuple(count_tokens(claim.text) for claim in material.claims)
    removals = removals_of(findings, {each.claim.id: n for each, n in zip(readings, tokens, strict=True)})
    growth = growth_of(readings, tokens, findings)
    heard = None if transcript is None else _heard(transcript, turns, findings)
    return Audit(material, tuple(findings), removals, growth, tokens, tuple(limits), heard)


def _alone(readings: Sequence[Reading]) -> Iterator[Finding]:
    hollow = list(empty(readings))
    gone = {each.memories[0] for each in hollow}
    legible = [each for each in readings if each.claim.id not in gone]
    yield from hollow
    yield from boilerplate(legible)
    yield from vague(legible)
    yield from without_provenance(readings)
    yield from without_scope(readings)


def _handed(transcript: Material) -> list[Reading]:
    return [each for each in readings_of(transcript) if (each.claim.speaker or "").lower() in _ASSISTANTS]


def _heard(transcript: Material, turns: Sequence[Reading], findings: Sequence[Finding]) -> Heard:
    again = {name for each in findings if each.reason == HANDED_OUT for name in each.others}
    return Heard(len(transcript.claims), len(turns), len(again))


def _without(
    readings: Sequence[Reading], findings: Sequence[Finding], kinds: frozenset[str]
) -> list[Reading]:
    """Return the memories that no finding of *kinds* makes go."""
    gone = {name for each in findings if each.kind in kinds for name in each.others}
    return [each for each in readings if each.claim.id not in gone]


def removals_of(findings: Sequence[Finding], tokens: Mapping[str, int]) -> tuple[Removal, ...]:
    """Return each memory that can go once, with a memory that stays in its place.

    Findings are taken kind by kind, what is sure first. One whose memory to keep would rest on the
    memory that goes is passed over, so that of every group one stays.

    Args:
        findings: of any kinds.
        tokens: of each memory of the store, in its order.
    """
    chosen: dict[str, Finding] = {}
    ranked = sorted(findings, key=lambda each: (each.confidence == "likely", _rank(each)))
    for finding in ranked:
        for name in finding.others if finding.kind in REMOVABLE else ():
            if name not in chosen and _end(finding.keep, chosen) != name:
                chosen[name] = finding
    return tuple(
        Removal(name, f.kind, f.reason, f.confidence, _end(f.keep, chosen), tokens[name])
        for name in tokens
        if (f := chosen.get(name)) is not None
    )


def _rank(finding: Finding) -> int:
    return REMOVABLE.index(finding.kind) if finding.kind in REMOVABLE else len(REMOVABLE)


def _end(name: str | None, chosen: Mapping[str, Finding]) -> str | None:
    """Return the memory that stays at the end of the way from *name*."""
    while name is not None and name in chosen:
        name = chosen[name].keep
    return name
