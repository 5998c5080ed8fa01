"""A server over HTTP as a system: the protocol, mappings to others, and faults that are told."""

import copy
import time

import pytest

from memory_server import MemoryServer, slow
from memspan.errors import ContractError, SystemUnavailableError
from memspan.material import Claim, Query
from memspan.systems import Call, Fields, HttpForm, HttpSystem, Setting, http_system, system_of
from memspan.systems.remote_notes import Ledger
from memspan.testing.system_laws import SYSTEM_LAWS, system_breach
from memspan.testing.system_trial import SystemTrial, Way, pickled

ANA = Claim("c1", "Ana moved to Porto.", source="session 1", time="2026-03-01", speaker="Ana")
RUI = Claim("c2", "Rui stayed.")
WHERE = Query("q", "Where did Ana move to ?")


def told(system, *claims):
    for claim in claims or (ANA, RUI):
        system.observe(claim)
    return system


def test_a_server_is_reset_then_told_then_asked():
    with MemoryServer() as server, HttpSystem(server.url, capacity=5, key="sk-12345678") as system:
        told(system)
        (note,) = system.read(WHERE, 1)
        assert (note.id, note.text, note.claims) == ("n-c1", "Ana moved to Porto.", ("c1",))
        assert [each.claims for each in system.held()] == [("c1",), ("c2",)]
    assert [asked for asked, _, _ in server.requests] == [
        "POST /reset",
        "POST /ingest",
        "POST /ingest",
        "POST /query",
        "GET /held",
    ]
    assert server.requests[0][1] == {"capacity": 5}
    assert server.requests[1][1] == {
        "id": "c1",
        "text": "Ana moved to Porto.",
        "time": "2026-03-01",
        "source": "session 1",
        "speaker": "Ana",
    }
    assert server.requests[2][1]["time"] is None
    assert server.requests[3][1] == {"query": WHERE.text, "k": 1}
    assert {headers["Authorization"] for _, _, headers in server.requests} == {"Bearer sk-12345678"}


def test_a_server_keeps_the_laws_of_a_system():
    """Without a bound, and one list of claims: each law asks some hundred times."""
    claims = [Claim("c0", "Ana moved."), Claim("c1"), Claim("c2", "安娜"), Claim("c0", "Ana moved on.")]
    with MemoryServer() as server:
        way = Way(lambda capacity, _: HttpSystem(server.url, capacity=capacity), None, True, 0, pickled)
        with SystemTrial(way, claims) as trial:
            broken = {law: told for law in SYSTEM_LAWS if (told := system_breach(law, trial)) is not None}
    assert not broken


def test_what_names_no_claim_is_matched_by_text_and_by_id_in_brackets():
    with MemoryServer(names_claims=False) as server, HttpSystem(server.url) as system:
        assert {note.claims for note in told(system).held()} == {("c1",), ("c2",)}
    ledger = Ledger(Fields())
    ledger.add(ANA, "Ana: Ana moved to Porto.")
    ledger.add(RUI)
    several = ledger.notes(
        [
            "Ana moved\n to Porto.",
            "Ana: Ana moved to Porto.",
            "Ana lives there now [c1]",
            "Rui stayed.\nAna moved to Porto.",
            "Ana moved.",
            {"memory": "paraphrase", "metadata": {"claim_id": "c2"}},
            {"text": "invented", "claims": ["c1", "c9", "c1"], "id": 7},
        ]
    )
    assert [note.claims for note in several] == [
        ("c1",), ("c1",), ("c1",), ("c2", "c1"), (), ("c2",), ("c1",)
    ]  # fmt: skip
    assert several[-1].id == "7"
    assert several[-1].extra == {"unknown": ["c9"]}
    assert len({note.id for note in several}) == len(several)


def test_an_empty_text_matches_nothing():
    ledger = Ledger(Fields())
    ledger.add(Claim("c1", " "))
    assert [note.claims for note in ledger.notes([" ", "a\n\nb"])] == [(), ()]


def test_a_server_that_cannot_list_holds_what_it_was_told_as_far_as_anyone_knows():
    with MemoryServer(lists=False) as server, HttpSystem(server.url) as system:
        assert [(note.id, note.extra) for note in told(system).held()] == [
            ("c1", {"assumed": True}),
            ("c2", {"assumed": True}),
        ]


def test_a_server_of_another_protocol_is_described():
    form = HttpForm(
        ingest=Call(
            "/memories/{id}", {"messages": [{"content": "{speaker}: {text}"}], "user": "{space}"}, "PUT"
        ),
        query=Call("/search?q={query}&n={k}", method="GET", answer="data.results"),
        held=None,
        reset=None,
        fields=Fields(text=("memory",), claims=("meta.ref",)),
    )
    found = {"data": {"results": [{"memory": "she moved", "meta": {"ref": "c1"}}]}}
    faults = {
        "PUT /memories/c1": lambda _: (201, b""),
        "GET /search?q=Ana%20%26%20Rui&n=3": lambda _: (200, found),
    }
    with MemoryServer(faults) as server, HttpSystem(server.url + "/", form=form) as system:
        told(system, ANA)
        assert [note.claims for note in system.read(Query("q", "Ana & Rui"), 3)] == [("c1",)]
        assert [note.extra for note in system.held()] == [{"assumed": True}]
    assert server.requests[0][1]["messages"] == [{"content": "Ana: Ana moved to Porto."}]
    assert server.requests[0][1]["user"].startswith("memspan-")


def test_at_most_k_notes_are_taken_and_none_are_not_asked_for():
    many = {"POST /query": lambda _: (200, {"notes": ["a", "b", "c"]})}
    with MemoryServer(many) as server, HttpSystem(server.url) as system:
        assert [note.text for note in system.read(WHERE, 2)] == ["a", "b"]
        assert system.read(WHERE, 0) == ()
        assert [asked for asked, _, _ in server.requests] == ["POST /reset", "POST /query"]


@pytest.mark.parametrize(
    ("asked", "fault", "error", "said"),
    [
        ("POST /reset", (404, {}), SystemUnavailableError, "answered 404 to POST /reset.*describe its calls"),
        (
            "POST /ingest",
            (500, {"error": "disk full"}),
            SystemUnavailableError,
            "500 to POST /ingest: disk full",
        ),
        ("POST /ingest", (307, b""), SystemUnavailableError, "answered 307"),
        (
            "POST /query",
            (200, b"<html>"),
            ContractError,
            "answered no JSON to POST /query; expected is a list in",
        ),
        ("POST /query", (200, {"hits": []}), ContractError, r"\{'hits': \[\]\}"),
        (
            "POST /query",
            (200, {"notes": [{"body": "x"}]}),
            ContractError,
            "no text in text or .* it has body",
        ),
        ("POST /query", (200, {"notes": [7]}), ContractError, "it has 7"),
        ("GET /held", (503, b"busy"), SystemUnavailableError, "answered 503 to GET /held: busy"),
    ],
)
def test_a_fault_of_the_server_is_told(asked, fault, error, said):
    with (
        MemoryServer({asked: lambda _: fault}) as server,
        HttpSystem(server.url) as system,
        pytest.raises(error, match=said),
    ):
        (told(system), system.read(WHERE, 1), system.held())


def test_a_server_that_does_not_answer_is_given_up():
    with (
        MemoryServer({"POST /query": slow(1.5)}) as server,
        HttpSystem(server.url, timeout=0.2) as system,
        pytest.raises(SystemUnavailableError, match=r"no answer within 0\.2 s"),
    ):
        system.read(WHERE, 1)


def test_a_server_that_is_not_there_is_told_at_once():
    with MemoryServer() as server:
        url = server.url
    began = time.monotonic()
    with (
        HttpSystem(url) as system,
        pytest.raises(SystemUnavailableError, match="start the server, check the URL"),
    ):
        system.observe(ANA)
    assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://host", "http://", "http://a:b@host", "http://host:x"]
)
def test_a_url_that_cannot_be_used_is_refused(url):
    with pytest.raises(ContractError, match="give one like"):
        HttpSystem(url)


def test_the_key_is_shown_to_nobody():
    echo = {"POST /reset": lambda _: (401, {"error": "bad key sk-12345678"})}
    with (
        MemoryServer(echo) as server,
        HttpSystem(server.url, key="sk-12345678") as system,
        pytest.raises(SystemUnavailableError) as told_,
    ):
        system.observe(ANA)
    assert "sk-12345678" not in str(told_.value)
    assert "sk-12345678" not in repr(system_of(system)[0].make)


def test_a_kind_makes_a_system_of_its_own_for_each_run_and_tells_the_capacity():
    with MemoryServer() as server:
        kind = http_system(server.url, bounded=True)
        with kind.make(Setting(capacity=7)) as system:
            told(system, ANA)
        with kind.make(Setting(capacity=8)) as system:
            assert system.held() == (), "the reset forgot what the first was told"
        assert [body for asked, body, _ in server.requests if asked == "POST /reset"] == [
            {"capacity": 7},
            {"capacity": 8},
        ]
        (named,) = system_of(server.url)
        assert named.label == server.url.removeprefix("http://")
        with copy.deepcopy(system) as again:
            assert again.held() == ()
