"""Errors travel between processes whole."""

import pickle

import pytest

from memspan.errors import Fault, FileError, FormatError, MaterialError, ModelError


@pytest.mark.parametrize(
    "error",
    [
        FileError("a.json", [Fault("claims[3]", "id", "is twice there")]),
        FormatError("a.json", [Fault("", "", "is no known format"), Fault("line 2", "", "is none either")]),
        MaterialError([Fault("queries[0]", "weight", "is -1")]),
        ModelError("no answer", tokens_in=3, tokens_out=4),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_is_the_same_behind_a_pickle(error):
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
