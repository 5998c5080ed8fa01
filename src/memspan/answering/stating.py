"""Which sentence states a triple: of the page about its subject, the one that names its object."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from memspan.language.countries import names_of
from memspan.language.names import bare, reading
from memspan.language.values import moment
from memspan.language.words import words
from memspan.material import Claim, Triple

OPENING = 14  # words of a page's first sentence within which it names what it is about
_CUES = {
    "birth": ("born", "birth", "b"),
    "death": ("died", "death", "dead", "killed", "assassinated", "executed"),
    "spouse": ("married", "wife", "husband", "spouse", "widow", "marriage", "consort"),
    "father": ("son", "daughter", "father", "child"),
    "mother": ("son", "daughter", "mother", "child"),
    "child": ("son", "daughter", "father", "mother", "children"),
    "sibling": ("brother", "sister", "sibling"),
    "director": ("directed", "director"),
    "performer": ("song", "by", "recorded", "sung", "single", "album"),
    "composer": ("composed", "music", "written", "composer", "score"),
    "publication": ("released", "film", "album", "published"),
    "educated": ("studied", "educated", "graduated", "attended", "university", "school"),
    "award": ("award", "awards", "won", "prize"),
    "founded": ("founded", "founder", "established"),
}
"""Words that go with a relation, by a word of its name."""


class Pages:
    """Sentences under the titles that `Claim.source` gives, ready to be searched for triples.

    >>> pages = Pages([Claim("p0s0", "Ana Lima (born 2 May 1990) is a baker from Porto.", "Ana Lima")])
    >>> pages.stating(("Ana Lima", "date of birth", "May 2, 1990")).id
    'p0s0'
    """

    def __init__(self, sentences: Sequence[Claim]) -> None:
        """Group *sentences* by title, order kept."""
        self._pages: dict[str, list[Claim]] = defaultdict(list)
        for sentence in sentences:
            self._pages[sentence.source or ""].append(sentence)
        self._by_title: dict[str, list[str]] = defaultdict(list)
        for title in self._pages:
            for key in {reading(title), bare(title)}:
                self._by_title[key].append(title)
        self._openings = {title: _opening(title, page[0].text) for title, page in self._pages.items()}
        self._opening_with: dict[str, list[str]] = defaultdict(list)
        for title, told in self._openings.items():
            for word in dict.fromkeys(told.split()):
                self._opening_with[word].append(title)

    def stating(self, triple: Triple) -> Claim | None:
        """Return the sentence that most likely states *triple*; None without a page about its subject."""
        best: tuple[float, Claim] | None = None
        for title in self._about(triple[0]):
            score, sentence = _best(self._pages[title], triple)
            if best is None or score > best[0]:
                best = score, sentence
        return best[1] if best else None

    def _about(self, subject: str) -> Iterator[str]:
        """Yield the titles of pages about *subject*: by title, then by part of title or beginning."""
        titles = dict.fromkeys(self._by_title.get(reading(subject), ()))
        titles |= dict.fromkeys(self._by_title.get(bare(subject), ()))
        yield from titles
        wanted = bare(subject)
        near = min((self._opening_with.get(word, []) for word in wanted.split()), key=len, default=[])
        for title in near:
            if title not in titles and f" {wanted} " in self._openings[title]:
                yield title


def _opening(title: str, text: str) -> str:
    return f" {reading(title)} | {' '.join(words(text)[:OPENING])} "


def _best(page: Sequence[Claim], triple: Triple) -> tuple[float, Claim]:
    """Return the first of the best sentences, with its score."""
    scored = [(_score(sentence.text, triple), sentence) for sentence in page]
    return max(scored, key=lambda pair: pair[0])


def _score(text: str, triple: Triple) -> float:
    """Return how much *text* says of the object, and a little more where it has words for the relation."""
    told = words(text)
    cues = [cue for key, known in _CUES.items() if key in triple[1] for cue in known]
    cued = 0.5 if set(cues) & set(told) else 0.0
    return 2 * _told(told, triple[2]) + cued


def _told(told: Sequence[str], value: str) -> float:
    """Return the share of *value* that *told* holds, in the form that it holds most of."""
    return max(_held(told, form) for form in names_of(value))


def _held(told: Sequence[str], form: str) -> float:
    wanted = words(form)
    if not wanted:
        return 0.0
    if moment(form) is None and f" {' '.join(wanted)} " in f" {' '.join(told)} ":
        return 1.0
    held = set(told)
    share = sum(word in held for word in wanted) / len(wanted)
    return share if moment(form) is not None or share < 1 else 0.9
