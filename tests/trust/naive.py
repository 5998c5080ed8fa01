"""The trust model once more, from the formulas, with dictionaries and sets: slow and short."""

from __future__ import annotations

import math
from collections import defaultdict

LIMITS = 0.05, 0.98
LEAST = 0.02


def sigmoid(log_odds):
    return 1 / (1 + math.exp(-min(max(log_odds, -30), 30)))


def log_beta(a, b):
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


class Naive:
    """Claims by name; a factor is a pair of (set of claims, settler)."""

    def __init__(self, claims, terms, untrusted=()):
        """Link the claims; nothing is settled yet."""
        self.terms, self.untrusted = terms, set(untrusted)
        self.source = {claim.id: claim.source for claim in claims}
        self.rivals, self.allies = defaultdict(dict), defaultdict(dict)
        self.near = defaultdict(list)  # claim -> those linked with it, the newest link first
        for field, table, leak, back in (
            ("supersedes", self.rivals, terms.superseded, terms.contradiction),
            ("contradicts", self.rivals, terms.contradiction, terms.contradiction),
            ("corroborates", self.allies, terms.corroboration, terms.corroboration),
        ):
            for claim in claims:
                for name in getattr(claim, field):
                    if name != claim.id and name not in table[claim.id]:
                        table[claim.id][name], table[name][claim.id] = leak, back
                        self.near[claim.id].insert(0, name)
                        self.near[name].insert(0, claim.id)
        self.outcomes = {}  # factor -> [right, wrong]
        self.sent = {}  # factor -> {claim: message}
        self.taught = {}  # factor -> expected counts of (wrong, right though true; right, wrong though false)
        self.lent = {}  # claim -> trust

    def settle(self, claims, settler, right, wrong):
        """Count an outcome, send what follows, and again what follows from caps that became smaller."""
        factor = (frozenset(claims), settler)
        before = {each: self.cap(each) for each in self.outcomes}
        counts = self.outcomes.setdefault(factor, [0.0, 0.0])
        if right + wrong > 0:
            kept = self.terms.drift ** min(1, right + wrong)
            counts[:] = counts[0] * kept + right, counts[1] * kept + wrong
            self.send(factor)
        for each, cap in before.items():
            if self.cap(each) != cap and each in self.sent:
                self.send(each)

    def cap(self, factor):
        """Return what the outcomes of *factor* amount to at most."""
        claims, settler = factor
        if settler not in self.untrusted:
            return self.terms.cap
        held = max(
            sum(name == settler and claim in other for other, name in self.outcomes) for claim in claims
        )
        return min(self.terms.cap, self.terms.cap_untrusted / 2 ** math.ceil(math.log2(held)))

    def ratio(self, factor):
        """Return how much likelier the outcomes are if all claims are true, in log-odds."""
        right, wrong = self.outcomes[factor]
        a1, b1, a2, b2 = self.rates(factor)
        true = log_beta(a1 + wrong, b1 + right) - log_beta(a1, b1)
        false = log_beta(a2 + right, b2 + wrong) - log_beta(a2, b2)
        return min(max(true - false, -self.cap(factor)), self.cap(factor))

    def rates(self, factor):
        """Return the Beta parameters of the two errors, learned from the settler's other factors."""
        noise = self.terms.noise_of(factor[1])
        given = (noise.false_wrong.a, noise.false_wrong.b, noise.false_right.a, noise.false_right.b)
        if not self.terms.learned:
            return given
        others = [each for other, each in self.taught.items() if other[1] == factor[1] and other != factor]
        a, b, c, d = (sum(each[i] for each in others) for i in range(4))
        errors, accurate = a + c + (given[0] + given[2]) / 2, b + d + (given[1] + given[3]) / 2
        error = errors / (errors + accurate) * self.terms.settler_weight
        truth = self.terms.settler_weight - error
        return error + a, truth + b, error + c, truth + d

    def send(self, factor, damping=0.0):
        """Replace the messages of *factor*."""
        claims = sorted(factor[0])
        old = self.sent.pop(factor, dict.fromkeys(claims, 0.0))
        ratio = self.ratio(factor)
        bound = factor[1] in self.untrusted
        alone = {claim: sigmoid(self.log_odds(claim, all_in=bound)) for claim in claims}
        new = {}
        for claim in claims:
            others = math.prod(alone[other] for other in claims if other != claim)
            message = math.log1p(math.expm1(ratio) * others)
            new[claim] = (1 - damping) * message + damping * old[claim]
        self.sent[factor] = new
        odds = math.prod(alone.values()) * math.exp(ratio)
        truth = odds / (odds + 1 - math.prod(alone.values()))
        right, wrong = self.outcomes[factor]
        self.taught[factor] = (truth * wrong, truth * right, (1 - truth) * right, (1 - truth) * wrong)
        for claim in [] if bound else claims:
            for each in (claim, *self.near[claim]):
                self.lend(each)

    def sweep(self, factors, damping):
        """Send the messages of *factors* in that order."""
        for factor in factors:
            self.send(factor, damping)

    def touched(self, claim):
        """Whether an outcome is about *claim*."""
        return any(
            claim in claims and sum(self.outcomes[claims, who]) > 0
            for claims, who in self.sent
            if who not in self.untrusted
        )

    def lend(self, claim):
        """Note the trust of *claim* where it, or one near it, is touched."""
        if any(map(self.touched, (claim, *self.near[claim]))):
            self.lent[claim] = sigmoid(self.log_odds(claim))
        else:
            self.lent.pop(claim, None)

    def prior(self, claim):
        """Return the log-odds of *claim* by its source."""
        terms = self.terms
        pooled = [trust for other, trust in self.lent.items() if not self.rivals[other]]
        size = terms.base_weight + len(pooled)
        pool = min(max((terms.base_weight * terms.base + sum(pooled)) / size, LIMITS[0]), LIMITS[1])
        source = self.source[claim]
        if source is None:
            return math.log(pool / (1 - pool))
        mates = [
            trust for other, trust in self.lent.items() if self.source[other] == source and other != claim
        ]
        true = terms.source_weight * pool + sum(mates)
        false = terms.source_weight * (1 - pool) + len(mates) - sum(mates)
        return math.log(max(true, LEAST) / max(false, LEAST))

    def heard(self, claim, untrusted=False):
        """Return the messages to *claim* of settlers that are trusted, or of those that are not."""
        return sum(
            each.get(claim, 0.0)
            for (_, who), each in self.sent.items()
            if (who in self.untrusted) == untrusted
        )

    def log_odds(self, claim, all_in=False):
        """Return the log-odds of *claim* after all; what the untrusted say counts with *all_in*."""
        hearsay = self.heard(claim, untrusted=True) if all_in else 0.0
        return self.by_trusted(claim) + hearsay

    def by_trusted(self, claim):
        """Return the log-odds of *claim* by prior, trusted settlers, rivals and allies."""
        known = {other: self.prior(other) + self.heard(other) for other in self.near[claim]}
        odds = {other: math.exp(min(max(each, -30), 30)) for other, each in known.items()}
        leaked = sum(leak * odds[other] for other, leak in self.rivals[claim].items())
        said = math.log((1 + leaked) / (1 + sum(odds[other] for other in self.rivals[claim])))
        for other, same in self.allies[claim].items():
            said += math.log((same * odds[other] + 1 - same) / ((1 - same) * odds[other] + same))
        return self.prior(claim) + self.heard(claim) + said

    def tau(self, claim):
        """Return the probability that *claim* is true."""
        return sigmoid(self.log_odds(claim, all_in=True))
