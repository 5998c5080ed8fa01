import json
import sys
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from memspan.answering.rule import ReaderRule, shipped
from memspan.cli.main import app, main
from memspan.datasets import save
from memspan.learning import reader as learner
from memspan.learning.measuring import measure
from memspan.material import Claim, Material, Query, Support

NAMES = ["Ana", "Bia", "Caio", "Davi", "Elsa", "Fabio", "Gil", "Hugo", "Ines", "Joana"]
PLACES = ["Porto", "Braga", "Faro", "Evora", "Lagos", "Tomar", "Sintra", "Beja", "Viseu", "Aveiro"]
THINGS = [
    "violin",
    "kayak",
    "lantern",
    "bicycle",
    "telescope",
    "loom",
    "canoe",
    "accordion",
    "kite",
    "compass",
]
MONTHS = ["January", "March", "May", "July", "September"]


def talk(name, shift, days=4):
    """Return a talk of two people over some days, six questions on each, and the claims they need."""
    claims, queries = [], []

    def say(session, speaker, text):
        date = f"2024-{2 * session - 1:02}-11"
        claims.append(Claim(f"c{len(claims)}", text, f"session {session}", date, speaker=speaker))
        return claims[-1].id

    def ask(text, answer, *needed):
        queries.append(Query(f"q{len(queries)}", text, answer=answer, supports=(Support(needed),)))

    for day in range(1, days + 1):
        turn = day + shift
        who, other = ("Ana", "Rui") if turn % 2 else ("Rui", "Ana")
        friend, place, thing = (words[turn % 10] for words in ([*NAMES[1:], "Kai"], PLACES, THINGS))
        when, lesson = f"{10 + day} {MONTHS[day - 1]} 2024", f"{THINGS[(turn + 3) % 10]} lessons"
        say(day, who, f"Good morning, {other}! How was the trip that you planned?")
        trip = say(day, other, f"I went to {place} with {friend} on {when}.")
        say(day, who, f"What did you buy there, in {place}?")
        buy = say(day, other, f"A {thing} and {day + 2} old postcards, it cost a lot last week.")
        say(day, who, "Lovely. I stayed at home, it rained and rained.")
        gift = say(day, who, f"Yesterday I gave my sister {lesson} for her birthday.")
        say(day, other, "She will like that, I am sure!")
        ask(f"When did {other} go to {place}?", when, trip)
        ask(f"Who went to {place} with {other}?", friend, trip)
        ask(f"How many postcards did {other} buy on the trip to {place}?", str(day + 2), trip, buy)
        ask(f"What did {who} give to a sister?", lesson, gift)
        ask(f"What did {other} buy?", f"a {thing} as a souvenir, postcards", buy)
        ask(f"Where was {other} on {when}?", place, trip)
    return Material(name, tuple(claims), queries=tuple(queries))


@pytest.fixture(scope="module")
def talks(tmp_path_factory):
    path = tmp_path_factory.mktemp("talks") / "talks.json"
    save([talk("one", 0), talk("two", 5)], path)
    return path


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*words):
    return CliRunner().invoke(app, ["train", "reader", *map(str, words)])


def complaint(monkeypatch, capsys, *words):
    """Return what the program says on stderr when it refuses."""
    monkeypatch.setattr(sys, "argv", ["memspan", "train", "reader", *map(str, words)])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    return capsys.readouterr().err


def test_the_first_line_is_the_answer_then_both_rules_by_side_then_what_to_do_next(talks, here):
    run = call(talks)
    assert run.exit_code == 0, run.exception
    lines = run.stdout.splitlines()
    assert lines[0].startswith(
        "Fitted on 48 questions of 2 materials; on materials it was not fitted on, the best 5 claims hold "
    )
    assert "(shipped weights: " in lines[0]
    rows = [line for line in lines if line.startswith(("with answer, ", "question alone, "))]
    assert [row.split(", ")[1].split()[:2] for row in rows] == [["fitted", "48"], ["shipped", "48"]] * 2
    assert run.stdout.count("non-commercial") == 1
    assert lines[-1].endswith("frontier FILE --reader reader.json")
    assert run.stderr.startswith("2 materials, 48 questions with a support")
    rule = ReaderRule.load(here / "reader.json")
    assert set(rule.reliability) == {"answered", "asked"}
    assert "48 questions of one, two" in rule.fitted_on


def test_json_holds_both_rules_measured_on_the_same_questions(talks):
    run = call(talks, "--json", "--out", "mine.json", "--embedder", "hashed:64")
    told = json.loads(run.stdout)
    assert (told["out"], told["embedder"], told["questions"]) == ("mine.json", "hashed-1-64", 48)
    assert told["materials"] == ["one", "two"]
    rule = ReaderRule.load("mine.json")
    assert rule.embedder == "hashed-1-64"
    known = measure(shipped(), [talk("one", 0), talk("two", 5)])
    for side, found in told["sides"].items():
        assert found["shipped"] == known[side].figures()
        assert found["fitted"] == rule.reliability[side]
        assert found["fitted"]["questions"] == found["shipped"]["questions"] == 48


def test_without_answers_the_shipped_weights_stand_for_that_side_and_it_is_told(here):
    alone = talk("one", 0)
    queries = tuple(replace(query, answer=None) for query in alone.queries)
    save([replace(alone, queries=queries)], here / "alone.json")
    run = call("alone.json")
    assert run.exit_code == 0, run.exception
    assert "on questions it was not fitted on" in run.stdout.splitlines()[0]
    assert "Too few questions to fit 'with answer': there the shipped weights stand." in run.stdout
    assert ReaderRule.load("reader.json").answered == shipped().answered


def test_what_cannot_teach_is_left_out_and_told(talks, here, monkeypatch):
    known = {"asked": measure(shipped(), [talk("one", 0)])["asked"].figures()}
    monkeypatch.setattr(learner, "train_reader", lambda *_, **__: replace(shipped(), reliability=known))
    found = replace(talk("three", 3), support_source="found")
    blank = replace(talk("four", 4), queries=())
    save([talk("one", 0), found, blank], here / "more.json")
    run = call(talks, "more.json", "--json")
    told = json.loads(run.stdout)
    assert told["materials"] == ["one", "two"]
    assert {each["material"]: each["reason"] for each in told["left_out"]} == {
        "one": "stands in the files twice",
        "three": "its supports are found, not annotated",
        "four": "no question has a support",
    }
    assert "three was left out: its supports are found, not annotated." in call(talks, "more.json").stdout


def test_too_few_annotated_supports_are_refused_with_the_reason_and_the_cure(here, monkeypatch, capsys):
    save([replace(talk("one", 0), support_source="generated")], here / "made.json")
    said = complaint(monkeypatch, capsys, "made.json")
    assert "0 questions with an annotated support (one: its supports are generated, not annotated)" in said
    assert "at least 20" in said
    assert "the shipped rule needs none" in said
    assert not (here / "reader.json").exists()
    save([talk("one", 0, days=1)], here / "short.json")
    assert "6 questions with an annotated support; fitting needs" in complaint(
        monkeypatch, capsys, "short.json"
    )


def test_without_scikit_learn_it_says_how_to_get_it(talks, here, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    assert "pip install" in complaint(monkeypatch, capsys, talks)
    assert not (here / "reader.json").exists()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["none.json"], "none.json"),
        (["odyssey", "--out", "no/where.json"], "does not exist"),
        (["odyssey", "--embedder", "magic"], "no embedder 'magic'"),
        (["odyssey"], "8 questions with an annotated support; fitting needs at least 20"),
    ],
)
def test_what_cannot_be_used_is_refused_without_a_traceback(words, problem, monkeypatch, capsys):
    said = complaint(monkeypatch, capsys, *words)
    assert problem in said
    assert "Traceback" not in said


def test_a_source_is_never_overwritten_by_the_rule(here, monkeypatch, capsys):
    save([talk("one", 0)], here / "talk.json")
    before = (here / "talk.json").read_bytes()
    assert "would be overwritten" in complaint(monkeypatch, capsys, "talk.json", "--out", "./talk.json")
    assert (here / "talk.json").read_bytes() == before


def test_progress_counts_the_steps_and_never_passes_the_end():
    from memspan.cli.training import _Steps

    shown = []

    class Meter:
        tell = shown.append

    steps = _Steps(Meter, "fitting", 2)
    for step in "abc":
        steps.tell(step)
    assert [(each.stage, each.done, each.of) for each in shown] == [
        ("fitting, a", 0, 2),
        ("fitting, b", 1, 2),
        ("fitting, c", 2, 3),
    ]
