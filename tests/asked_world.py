"""A small world that is asked about: people, what they own, and a prior that half knows what matters."""

from dataclasses import dataclass

import numpy as np

from memspan.environments.bounds import optima
from memspan.environments.episode import Episode, Rules
from memspan.environments.orders import draw
from memspan.environments.playing import play
from memspan.environments.scene import scene
from memspan.material import Claim, Material, Query, Support

PLAIN = Rules()
SYLLABLES = [a + b for a in "bdfglmnprstv" for b in "aeiou"]


@dataclass
class Told:
    """A prior that was written down."""

    chances: np.ndarray
    name: str = "told"

    def start(self):
        """Begin anew."""
        self._seen = 0

    def observe(self, claims):
        """Return what was written down for the next *claims*."""
        self._seen += len(claims)
        return self.chances[self._seen - len(claims) : self._seen]


def word(rng):
    return "".join(rng.choice(SYLLABLES, 3)).capitalize()


def world(seed, claims=100, queries=36, pairs=0.25):
    """Return a material, and a prior that thinks what is needed twice as likely to be as what is not."""
    rng = np.random.default_rng(seed)
    owners, things = [word(rng) for _ in range(claims)], [word(rng) for _ in range(claims)]
    made = [Claim(f"c{i}", f"{owners[i]} owns the {things[i]}.", source=f"s{i // 10}") for i in range(claims)]
    needed = rng.permutation(claims)
    asked = []
    for q in range(queries):
        first, second = needed[2 * q % claims], needed[(2 * q + 1) % claims]
        both = rng.random() < pairs
        text = f"Who owns the {things[first]}" + (f" and the {things[second]}?" if both else "?")
        support = Support((f"c{first}", f"c{second}") if both else (f"c{first}",))
        answer = owners[first] + (f" and {owners[second]}" if both else "")
        asked.append(Query(f"q{q}", text, answer=answer, supports=(support,)))
    material = Material(f"world {seed}", tuple(made), queries=tuple(asked))
    truth = np.zeros(claims, bool)
    for query in asked:
        truth[[material.claim_position[name] for name in query.supports[0].claims]] = True
    return material, Told(np.clip(0.2 + 0.2 * truth + rng.normal(0, 0.1, claims), 0.02, 0.98))


def lived(make, seed, order="uniform", steps=150, capacity=15, rules=PLAIN, **shape):
    """Return the share of the bound that the policy collects, and its regret."""
    material, prior = world(seed, **shape)
    whole = scene(material, arriving="whole")
    schedule = draw(whole, order, np.random.default_rng(seed), steps=steps)
    bound = optima(whole, schedule, capacity)
    expected = np.nansum(play(make(prior), Episode(whole, schedule, capacity, rules), seed).expected)
    return expected / bound.total, bound.total - expected
