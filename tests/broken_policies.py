"""Write policies, each broken in its own way: what `check_policy` has to tell."""

# ruff: noqa: D101, D102, D107, ARG002 - their names say how, their methods are the protocol's

import numpy as np

from memspan.coverage import compile_material


class Newest:
    """Holds what came last, what was used before all: what the broken ones are made of."""

    name = "newest"

    def __init__(self, material=None):
        self.material = material
        self.start(0)

    def start(self, seed):
        self.texts, self.ids, self.uses = [], [], {}

    def observe(self, claims):
        self.texts += [claim.text for claim in claims]
        self.ids += [claim.id for claim in claims]

    def score(self, view):
        scores = np.arange(len(view.costs), dtype=np.float64)
        for place, count in self.uses.items():
            scores[place] += 1000.0 * count
        return scores

    def settle(self, outcome):
        for place in outcome.used or ():
            self.uses[place] = self.uses.get(place, 0) + 1


class ScoresTheLastBatch(Newest):
    def score(self, view):
        return np.arange(int(view.fresh.sum()), dtype=np.float64)


class ScoresWholeNumbers(Newest):
    def score(self, view):
        return np.arange(len(view.costs))


class ScoresInLists(Newest):
    def score(self, view):
        return super().score(view).tolist()


class DividesByTheCapacity(Newest):
    """Nothing may be held, and nothing over nothing is no number."""

    def score(self, view):
        with np.errstate(all="ignore"):
            return super().score(view) / np.float64(view.capacity)


class DividesByTheCost(Newest):
    """An empty text has no tokens."""

    def score(self, view):
        with np.errstate(all="ignore"):
            return (1 + super().score(view)) / view.costs


class InfinitelyFond(Newest):
    def score(self, view):
        return np.where(view.memory, np.inf, super().score(view))


class HasNoName(Newest):
    name = ""


class StumblesOnEmptyText(Newest):
    def observe(self, claims):
        super().observe(claims)
        _ = [claim.text.split()[0] for claim in claims]


class TicksOffTheView(Newest):
    def score(self, view):
        view.open[:] = False
        return super().score(view)


class MarksClaims(Newest):
    def observe(self, claims):
        super().observe(claims)
        for claim in claims:
            claim.extra["seen"] = True


class GivesItsOwnArray(Newest):
    """What it hands out is what it goes on with."""

    def score(self, view):
        held = getattr(self, "own", np.zeros(0))
        grown = np.zeros(len(view.costs))
        grown[: min(len(held), len(grown))] = held[: len(grown)]
        self.own = grown if len(grown) != len(held) else held
        self.own += 1
        return self.own

    def start(self, seed):
        super().start(seed)
        self.own = np.zeros(0)


class ThrowsDice(Newest):
    dice = np.random.default_rng()

    def score(self, view):
        return self.dice.random(len(view.costs))


class NeverForgets(Newest):
    """Starts with what it learned in another life."""

    def start(self, seed):
        if not hasattr(self, "uses"):
            super().start(seed)
        self.texts, self.ids = [], []


class RemembersTexts(Newest):
    """Keeps what was used, by its words, for the next life."""

    def __init__(self, material=None):
        self.known = set()
        super().__init__(material)

    def settle(self, outcome):
        super().settle(outcome)
        self.known.update(self.texts[place] for place in outcome.used or ())

    def score(self, view):
        return super().score(view) + [500.0 * (text in self.known and not self.uses) for text in self.texts]


class BelievesTheTruth(Newest):
    def start(self, seed):
        super().start(seed)
        self.truths = []

    def observe(self, claims):
        super().observe(claims)
        self.truths += [1.0 if claim.truth is None else claim.truth for claim in claims]

    def score(self, view):
        return super().score(view) * self.truths


class GoesById(Newest):
    def score(self, view):
        order = np.argsort(np.argsort(self.ids))
        return order.astype(np.float64)


class ReadsAhead(Newest):
    """Judges words by the whole material, of which the end has not appeared."""

    def score(self, view):
        words = sum(len(claim.text.split()) for claim in self.material.claims)
        return np.array([len(text.split()) / (1 + words) for text in self.texts], np.float64)


class KnowsTheExam(Newest):
    def score(self, view):
        asked = np.bincount(compile_material(self.material).members, minlength=len(self.material.claims))
        return asked[: len(view.costs)].astype(np.float64)


class NeedsToBeTold(Newest):
    """Counts on the supports, which are not always disclosed."""

    def settle(self, outcome):
        for support in outcome.supports:
            self.uses[support[0]] = 1


class NeedsAQuestion(Newest):
    def settle(self, outcome):
        super().settle(outcome)
        _ = outcome.query.text


class StumblesOnNothingUsed(Newest):
    def settle(self, outcome):
        if outcome.used is not None:
            self.uses[outcome.used[0]] = 1


class SettlesWhatItSaw(Newest):
    """Takes right and wrong for all there is."""

    def settle(self, outcome):
        if outcome.correct not in {0.0, 1.0}:
            raise ValueError(outcome.correct)
        super().settle(outcome)
