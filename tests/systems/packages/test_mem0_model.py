"""Mem0 with a model, over a real socket or through a chat model; and its policy held against it."""

# Scripted models do not look at what they are asked.
# ruff: noqa: ARG005

import json
from importlib.util import find_spec

import pytest

from memspan.material import Claim, Query
from memspan.models import function_chat
from memspan.systems.packages.mem0_package import mem0_system
from memspan.testing.chat_server import ChatServer
from memspan.testing.embedding import with_embeddings

if find_spec("mem0") is None:  # importing it here would be before the adapter turns telemetry off
    pytest.skip("mem0 is not installed", allow_module_level=True)


def extracting(*texts):
    return json.dumps({"memory": [{"id": str(i), "text": text} for i, text in enumerate(texts)]})


def texts(memory):
    return sorted(note.text for note in memory.held())


def test_what_its_model_extracts_rests_on_the_claim_it_came_from():
    chat = function_chat("scripted", lambda messages, form: extracting("Ana lives in Porto", "Ana has a cat"))
    with mem0_system(chat=chat) as memory:
        memory.observe(Claim("c1", "I moved to Porto with my cat."))
        assert [(note.text, note.claims) for note in sorted(memory.held(), key=lambda note: note.text)] == [
            ("Ana has a cat", ("c1",)),
            ("Ana lives in Porto", ("c1",)),
        ]
        assert memory.read(Query("q", "Who lives in Porto?"), 1)[0].text == "Ana lives in Porto"


def test_a_model_that_extracts_nothing_leaves_the_memory_empty():
    chat = function_chat("scripted", lambda messages, form: "{}")
    with mem0_system(chat=chat) as memory:
        memory.observe(Claim("c1", "Hm."))
        assert memory.held() == ()


def test_mem0s_own_clients_work_with_any_openai_compatible_server():
    with ChatServer(with_embeddings([extracting("Ana lives in Porto")])) as server:
        place = {"api_key": "none", "openai_base_url": server.url, "model": "small"}
        config = {
            "llm": {"provider": "openai", "config": place},
            "embedder": {"provider": "openai", "config": {**place, "embedding_dims": 1024}},
        }
        with mem0_system(config=config) as memory:
            memory.observe(Claim("c1", "I moved to Porto."))
            assert memory.read(Query("q", "Where does Ana live?"), 3)[0].claims == ("c1",)
            memory.package.memory.llm.client.close()
            memory.package.memory.embedding_model.client.close()
        asked = {request.path for request in server.requests}
    assert asked == {"/v1/embeddings", "/v1/chat/completions"}


# --- the policy, replayed -------------------------------------------------------------------------

SCRIPTS = {
    "what is shown is not added again": [
        ("add", "I moved to Porto.", ["Ana lives in Porto"]),
        ("add", "I live in Porto now, and have a cat.", ["Ana lives in Porto", "Ana has a cat"]),
        ("add", "As I said: a cat.", ["Ana has a cat", "Ana has a cat", ""]),
        ("add", "Nothing new.", []),
    ],
    "only the ten nearest are looked at": [
        ("add", "The blue door of the house is old.", ["The key hangs behind the stove"]),
        *(
            ("add", f"The blue door number {i} is open.", [f"The blue door number {i} is open"])
            for i in range(12)
        ),
        ("add", "The blue door number 99 is open.", ["The key hangs behind the stove"]),
    ],
    "updated and deleted": [
        ("add", "I moved to Porto.", ["Ana lives in Porto", "Ana has a cat"]),
        ("update", "Ana lives in Porto", "Ana lives in Lisbon"),
        ("add", "Porto it is.", ["Ana lives in Porto", "Ana lives in Lisbon"]),
        ("delete", "Ana has a cat", ""),
        ("add", "The cat is back.", ["Ana has a cat"]),
        ("update", "Ana has a cat", "Ana has a cat"),
    ],
    "case and spaces make another memory": [
        ("add", "I moved to Porto.", ["Ana lives in Porto"]),
        ("add", "PORTO!", ["ana lives in porto", "Ana lives in Porto ", "Ana lives in Porto"]),
    ],
}


def real(script):
    """Return the texts that mem0ai holds, each step given the model's answer of the script."""
    answers = iter([extracting(*told) for step, _, told in script if step == "add"])
    chat = function_chat("scripted", lambda messages, form: next(answers))
    with mem0_system(chat=chat) as system:
        memory = system.package.memory
        for i, (step, text, told) in enumerate(script):
            ids = {note.text: system.package.own(note.id) for note in system.held()}
            if step == "add":
                system.observe(Claim(f"c{i}", text))
            elif step == "update":
                memory.update(ids[text], told)
            else:
                memory.delete(ids[text])
        return texts(system)


def replayed(script):
    """Return the texts that the policy holds after the same steps and answers."""
    policy = pytest.importorskip("memspan.systems.mem0")
    from memspan.policies import Likeness

    answers = {text: told for step, text, told in script if step == "add"}
    way = policy.Adding(Likeness(), lambda claim, shown, recent: answers[claim.text])
    memory = policy.Mem0(way)
    for i, (step, text, told) in enumerate(script):
        ids = {note.text: note.id for note in memory.held()}
        claim = Claim(f"c{i}", text)
        if step == "add":
            memory.observe(claim)
        elif step == "update":
            way.ledger.update(ids[text], told, claim)
        else:
            way.forget(ids[text])
    return texts(memory)


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_policy_holds_what_the_package_holds(name):
    assert replayed(SCRIPTS[name]) == real(SCRIPTS[name])


def test_the_package_dedups_against_the_ten_memories_shown_and_no_others():
    held = real(SCRIPTS["only the ten nearest are looked at"])
    assert held.count("The key hangs behind the stove") == 2
    assert real(SCRIPTS["what is shown is not added again"]) == ["Ana has a cat", "Ana lives in Porto"]
