"""What a program or politeness says: prompts, refusals, raw messages, greetings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memspan.audit.findings import Finding
from memspan.audit.reading import Reading

_PROMPTS = re.compile(
    r"^\W*(?:system prompt|system message"
    r"|you are (?:an?|the) (?:\w+ ){0,4}(?:assistant|ai|agent|companion|chatbot|model|bot)\b"
    r"|you have access to (?:the )?(?:following )?tools"
    r"|use the following (?:tools|context|pieces|documents|memories)"
    r"|as an (?:ai|artificial)\b|i am an ai\b|i['\u2019]?m an ai\b"
    r"|i['\u2019]?a?m sorry,? but i (?:can['\u2019]?t|cannot)"
    r"|(?:(?:i['\u2019]?a?m )?(?:very |so )?sorry|i apologi[sz]e|apologies|unfortunately),? (?:but )?"
    r"(?:as an? (?:ai|artificial|large language|language model)\b"
    r"|i(?:['\u2019]?m| am)? (?:can['\u2019]?t|cannot|unable to|not able to)"
    r" (?:help|assist|answer|provide|comply|fulfil|access|generate|do that)\b)"
    r"|how (?:can|may) i (?:help|assist) you|ignore (?:all )?previous instructions|<\|?(?:system|im_start)"
    r"|answer the user'?s? (?:question|query|request)"
    r"|(?:extract|return|respond|reply|output) (?:only |always )?(?:\w+ ){0,4}json\b"
    r"|(?:do not|never) (?:reveal|mention|disclose) (?:these|this|the|your) "
    r"(?:instructions|rules|prompt|system))",
    re.IGNORECASE,
)
_MESSAGE = re.compile(
    r"^\s*\[?\s*\{.{0,2000}?[\"']role[\"']\s*:\s*[\"'](?P<role>assistant|user|system|tool|human|ai|function|developer)[\"']",
    re.IGNORECASE | re.DOTALL,
)
_HELLO = (
    r"(?:hello|hi|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|night|day)|goodbye|bye"
    r"|thanks|thank you|you'?re welcome|welcome back|see you|how are you|nice to meet you)"
)
_HELLOS = rf"{_HELLO}(?: (?:there|again|everyone|all|everybody|later|soon|so much|very much|today))*"
_ROLE = r"(?i:(?:the |an? |my |your )?(?:user|assistant|human|agent|bot|ai|chatbot|speaker))"
_PARTY = rf"(?:{_ROLE}|[A-Z][a-z]+)"
_GREETING = re.compile(
    rf"^\W*(?:(?i:{_HELLOS})(?:\W+(?i:{_HELLOS}))*"
    rf"|(?:{_PARTY} |(?i:i |they |he |she ))?(?i:just )?(?:"
    rf"(?i:said|says|saying|replied|wrote|typed|answered)\W+(?i:{_HELLOS})(?: to {_ROLE})?"
    rf"|(?i:greeted|greets|thanked|thanks)(?: {_ROLE}| (?i:me|us|you|them|each other))?"
    r"|(?i:started|opened|began) (?i:the|a) (?i:conversation|chat)(?i: with a greeting)?))\W*$"
)


def boilerplate(readings: Iterable[Reading]) -> Iterator[Finding]:
    """Yield texts of a prompt, refusals, raw messages of a chat and greetings: not of anybody's life."""
    for each in readings:
        reason = _reason(each.text)
        if reason:
            yield Finding("boilerplate", (each.claim.id,), reason, "likely")


def _reason(text: str) -> str:
    if _PROMPTS.match(text):
        return "reads like a prompt or a stock answer"
    message = _MESSAGE.match(text)
    if message:
        spoken = message["role"].lower() in {"user", "human"}
        more = "; the user wrote it, so a fact may stand in it" if spoken else ""
        return f"is a raw message of a chat, not a memory{more}"
    return "is a greeting or thanks" if len(text) < _LONGEST and _GREETING.match(text) else ""


_LONGEST = 80  # characters of a greeting
