"""English verb forms: enough to turn a statement into a question, no more.

The lists hold common verbs only. A word that is not in them is not taken for a verb: a rule that
needs one then stays silent.
"""

from __future__ import annotations

from functools import cache

_IRREGULAR = """
    arise arose arisen, awake awoke awoken, bear bore borne, beat beat beaten, become became become, begin
    began begun, bend bent bent, bet bet bet, bind bound bound, bite bit bitten, bleed bled bled, blow blew
    blown, break broke broken, breed bred bred, bring brought brought, build built built, burn burnt burnt,
    buy bought bought, cast cast cast, catch caught caught, choose chose chosen, cling clung clung, come
    came come, cost cost cost, creep crept crept, cut cut cut, deal dealt dealt, dig dug dug, draw drew
    drawn, dwell dwelt dwelt, dream dreamt dreamt, drink drank drunk, drive drove driven, eat ate eaten,
    fall fell fallen, feed fed fed, feel felt felt, fight fought fought, find found found, flee fled fled,
    fling flung flung, fly flew flown, forbid forbade forbidden, forget forgot forgotten, forgive forgave
    forgiven, freeze froze frozen, get got got, give gave given, go went gone, grind ground ground, grow
    grew grown, hang hung hung, hear heard heard, hide hid hidden, hit hit hit, hold held held, hurt hurt
    hurt, keep kept kept, kneel knelt knelt, know knew known, lay laid laid, lead led led, lean leant leant,
    leap leapt leapt, learn learnt learnt, leave left left, lend lent lent, let let let, lie lay lain, light
    lit lit, lose lost lost, make made made, mean meant meant, meet met met, pay paid paid, put put put,
    quit quit quit, read read read, ride rode ridden, ring rang rung, rise rose risen, run ran run, see saw
    seen, seek sought sought, sell sold sold, send sent sent, set set set, sew sewed sewn, shake shook
    shaken, shed shed shed, shine shone shone, shoot shot shot, show showed shown, shrink shrank shrunk,
    shut shut shut, sing sang sung, sink sank sunk, sit sat sat, slay slew slain, sleep slept slept, slide
    slid slid, sling slung slung, smell smelt smelt, sow sowed sown, speak spoke spoken, speed sped sped,
    spend spent spent, spill spilt spilt, spin spun spun, split split split, spread spread spread, spring
    sprang sprung, stand stood stood, steal stole stolen, stick stuck stuck, sting stung stung, strike
    struck struck, strive strove striven, swear swore sworn, sweep swept swept, swell swelled swollen, swim
    swam swum, swing swung swung, take took taken, teach taught taught, tear tore torn, throw threw thrown,
    tread trod trodden, understand understood understood, undo undid undone, wake woke woken, wear wore
    worn, weave wove woven, weep wept wept, win won won, wind wound wound, withdraw withdrew withdrawn,
    write wrote written
"""
_REGULAR = """
    accept accuse ache achieve add admire admit adopt advise agree allow amuse announce anoint apologize
    appear apply appoint approach arm arrange arrest arrive ask assemble assign assure attack attempt attend
    avoid awaken bake ban bark bathe beg behave belong bless board boast boil bolt book borrow bow brush
    bury call camp cancel care carry carve celebrate change charge chase chat check cheer claim clap clasp
    clean clear climb close clothe collect command compare compete complain complete compose conceal
    conclude conduct confess confirm conquer consider consult contain continue convene cook cover crawl
    create cross cry cure dance dare deceive decide declare decline decorate defeat defend delay deliver
    demand deny depart deserve design desire destroy detain devise devour die direct disappear discover
    discuss disguise dislike divide donate doubt drag dread dress drop drown earn embrace employ empty
    enchant encourage end endure enjoy enter entertain entreat escape examine exchange expect explain
    explore face fail fasten favour fear fetch fill finish fish fix float flow fold follow foretell found
    gain gather gaze glance graduate grant greet grieve groan guard guess guide hand handle happen harness
    hate haul help help hesitate honour hope host hunt hurry imagine implore improve inherit inspire insist
    insult intend introduce invent invite join joke jump kick kill kiss knit knock lack lament land lash
    last laugh launch like lift listen live load lock long look loosen loose love lower manage march marry
    mend mention milk miss mix moor mount mourn move murder need nod notice nurse obey object observe offer
    open oppose order organize orphan own pack paddle paint pardon pass pause perform perish permit
    persecute persuade photograph pick pity place plan plant play plead please plot pluck plunder point
    possess pour practise practice praise pray prefer prepare present press pretend prevent promise propose
    protect prove provide pull punish push raise ransack reach realize recall receive recognize recommend
    recover refuse regret rejoice relate release remain remember remind remove rent repair repeat reply
    report request rescue resemble reserve resolve rest restore retire return reveal reward roast roll rub
    ruin rule rush sack sacrifice sail save scatter scold scream search seat seem seize separate serve
    settle sew shape share shelter shout sign skin slaughter slip smile sneeze snatch soothe spare spear
    sponsor start stay steer step stir stop store strip stretch struggle study stumble suffer suggest summon
    supply support surrender surround suspect swallow talk taste tell tempt tend test thank threaten tie
    touch train transform translate travel treat tremble trick trust try tumble turn unharness urge use
    visit volunteer wait walk wander want warn wash waste watch water weigh welcome whip wish witness wonder
    work worry wound wrap wreck yearn yield yoke
"""
_ENDS_DOUBLED = """
    admit ban beg bet chat clap dig drag drop fit grab hug jog kidnap knit nod permit pat plan plot prefer
    regret rub ship shop sip skip slip spot step stir stop strip tap trap trek trim trip whip wrap
"""
_DOUBLING = frozenset(_ENDS_DOUBLED.split())
AUXILIARY = frozenset(("is", "was", "has", "had", "can", "could", "will", "would", "are", "were", "have"))
_HELPED = AUXILIARY - {"has", "had", "have"}


@cache
def _forms() -> dict[str, tuple[str, bool]]:
    """Return each finite form but the plain one: the verb, and whether it is a past form."""
    made: dict[str, tuple[str, bool]] = {}
    for base in _REGULAR.split():
        made.setdefault(_past(base), (base, True))
        made.setdefault(third_person(base), (base, False))
    for entry in _IRREGULAR.replace("\n", " ").split(","):
        base, past, _ = entry.split()
        made[third_person(base)] = (base, False)
        made[past] = (base, True)
    made["told"], made["foretold"] = ("tell", True), ("foretell", True)
    made["said"], made["had"], made["did"] = ("say", True), ("have", True), ("do", True)
    made["has"], made["says"], made["does"] = ("have", False), ("say", False), ("do", False)
    made["thought"], made["thinks"] = ("think", True), ("think", False)
    made["lay"] = ("lie", True)
    return {form: found for form, found in made.items() if form not in ("telled", "foretelled")}


def base_of(word: str) -> tuple[str, bool] | None:
    """Return the plain form of a finite *word* and whether it is past; None where no such verb is known.

    >>> base_of("went"), base_of("carries"), base_of("stopped"), base_of("olive")
    (('go', True), ('carry', False), ('stop', True), None)
    """
    return _forms().get(word)


def is_finite(word: str) -> bool:
    """Whether *word* can follow a name as the verb of a sentence: a known past or third person, or a helper.

    >>> [is_finite(word) for word in ("took", "is", "take", "and")]
    [True, True, False, False]
    """
    return word in AUXILIARY or word in _forms()


def is_helper(word: str) -> bool:
    """Whether *word* goes before the subject of a question as it is: is, was, can, will."""
    return word in _HELPED


@cache
def participles() -> frozenset[str]:
    """Return the past participles of the known verbs."""
    regular = {_past(base) for base in _REGULAR.split()}
    irregular = {entry.split()[2] for entry in _IRREGULAR.replace("\n", " ").split(",")}
    return frozenset(regular | irregular | {"been", "done", "had", "said", "told", "thought"})


@cache
def known_verbs() -> frozenset[str]:
    """Return every plain form."""
    return frozenset(base for base, _ in _forms().values())


def third_person(base: str) -> str:
    """Return the form after he or she.

    >>> [third_person(base) for base in ("carry", "play", "go", "wash", "be", "have")]
    ['carries', 'plays', 'goes', 'washes', 'is', 'has']
    """
    if base in ("be", "have"):
        return {"be": "is", "have": "has"}[base]
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def _past(base: str) -> str:
    if base in _DOUBLING:
        return base + base[-1] + "ed"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + ("d" if base.endswith("e") else "ed")
