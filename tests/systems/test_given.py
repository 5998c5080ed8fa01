"""Whatever a user brings becomes a system, or is told why not."""

# ruff: noqa: D102, D107, ARG002, ARG005 - they have the methods and arguments that the protocol asks for

import copy
import functools
import pickle
import subprocess
import sys
import threading

import pytest

from memspan.errors import ContractError, FileError, UnknownName
from memspan.material import Claim, Note, Query
from memspan.ports import Settles, Shrinks
from memspan.systems import Setting, SystemKind, function_system, system_of
from memspan.testing import check_system

FILE = """
from memspan.material import Note

def newest(claims, capacity):
    return claims[-capacity:]

class Newest:
    name = "newest"
    def __init__(self, capacity=None):
        self.capacity, self.notes = capacity, []
    def observe(self, claim):
        others = [note for note in self.notes if note.id != claim.id]
        self.notes = [*others, Note(claim.id, claim.text, (claim.id,))]
        if self.capacity is not None:
            self.notes = self.notes[max(len(self.notes) - self.capacity, 0):]
    def read(self, query, k):
        return tuple(self.notes[:k])
    def held(self):
        return tuple(self.notes)

class shelf:
    inner = Newest

empty = Newest()
text = "newest"
"""


class All:
    """Holds everything."""

    name = "all of it"

    def __init__(self):
        self.notes = {}

    def observe(self, claim):
        self.notes[claim.id] = Note(claim.id, claim.text, (claim.id,))

    def read(self, query, k):
        return self.held()[:k]

    def held(self):
        return tuple(self.notes.values())


class First(All):
    """Holds what came first."""

    def __init__(self, capacity, rng, more="default"):
        super().__init__()
        self.capacity = capacity

    def observe(self, claim):
        if claim.id in self.notes or len(self.notes) < self.capacity:
            super().observe(claim)


def held(kind, capacity=2):
    memory = kind.make(Setting(capacity=capacity))
    for name in "abc":
        memory.observe(Claim(name, f"{name} says so"))
    return [note.id for note in memory.held()]


def newest(claims, capacity):
    return claims[-capacity:]


def made_of_nothing():
    return All()


def made(capacity):
    return First(capacity, None)


def made_with_setting(setting):
    return First(setting.capacity, setting.rng)


class Caller:
    """An object that is called like a function."""

    def __call__(self, claims, capacity):
        return claims[:capacity]


@pytest.mark.parametrize(
    ("given", "kept", "bounded"),
    [
        (newest, "bc", True),
        (lambda claims, capacity: claims[:capacity], "ab", True),
        (Caller(), "ab", True),
        (First, "ab", True),
        (All, "abc", False),
        (All(), "abc", False),
        (made, "ab", True),
        (made_with_setting, "ab", True),
        (made_of_nothing, "abc", False),
        (function_system(newest), "bc", True),
    ],
)
def test_functions_classes_objects_and_kinds_are_systems(given, kept, bounded):
    (kind,) = system_of(given)
    assert isinstance(kind, SystemKind)
    assert held(kind) == list(kept)
    assert kind.bounded == bounded


@pytest.mark.parametrize(
    "given", [First, All, made, newest, All()], ids=["class", "no bound", "maker", "function", "object"]
)
def test_what_a_user_brings_keeps_the_laws(given):
    report = check_system(system_of(given)[0], examples=4)
    assert report.ok, report


def test_names_and_variants_and_all_of_them():
    assert [kind.label for kind in system_of(" FIFO ")] == ["fifo"]
    assert len(system_of("all")) > 5


def test_each_run_of_an_object_begins_as_it_was():
    given = All()
    (kind,) = system_of(given)
    assert held(kind) == held(kind) == ["a", "b", "c"]
    assert given.held() == ()


@pytest.mark.parametrize(
    ("attribute", "kept"), [("newest", "bc"), ("Newest", "bc"), ("shelf.inner", "bc"), ("empty", "abc")]
)
def test_a_thing_in_a_file_is_named_by_file_and_attribute(tmp_path, attribute, kept):
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    (kind,) = system_of(f"{path}:{attribute}")
    assert held(kind) == list(kept)
    assert check_system(kind, examples=3).ok
    assert held(pickle.loads(pickle.dumps(kind))) == list(kept)  # noqa: S301 - our own


ELSEWHERE = """
import pickle, sys
from memspan.material import Claim
from memspan.systems import Setting
for kind in pickle.loads(sys.stdin.buffer.read()):
    memory = kind.make(Setting(capacity=2))
    for name in "abc":
        memory.observe(Claim(name))
    print(*(note.id for note in memory.held()))
"""


def test_what_stands_in_the_working_directory_is_found_there_by_other_processes_too(tmp_path, monkeypatch):
    (tmp_path / "mine_too.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    kinds = pickle.dumps([*system_of("mine_too:newest"), *system_of("mine_too.py:newest")])
    run = subprocess.run([sys.executable, "-c", ELSEWHERE], input=kinds, capture_output=True, check=False)
    assert run.stdout.split() == [b"b", b"c"] * 2, run.stderr


def test_two_files_of_one_name_are_two(tmp_path):
    for folder, count in (("one", 1), ("two", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text(
            f"def keep(claims, capacity):\n    return claims[:{count}]\n"
        )
    assert [held(system_of(f"{tmp_path}/{each}/mine.py:keep")[0]) for each in ("one", "two")] == [
        ["a"],
        ["a", "b"],
    ]


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ("fifoo", UnknownName, "did you mean fifo.*module:attribute"),
        ("fifo:papr", UnknownName, "no system 'fifo:papr'"),
        ("no_such_module:thing", UnknownName, "no module 'no_such_module'"),
        ("statistics:meen", UnknownName, "statistics has no 'meen'; did you mean mean"),
        ("nowhere.py:keep", FileError, "there is no such file"),
        ("memspan.no_such:thing", UnknownName, "no module 'memspan.no_such'"),
        ("statistics:__doc__", ContractError, "is the text"),
        ("math:pi", ContractError, "float .* is no memory system; give a name"),
        (3, ContractError, "int 3 is no memory system"),
        (None, ContractError, "is no memory system"),
        (dict, ContractError, "class dict has no method observe, read, held"),
        (lambda claims: [], ContractError, r"takes \(claims\); .* keep\(claims, capacity\)"),
        (lambda a, b, c: [], ContractError, r"takes \(a, b, c\)"),
    ],
)
def test_what_is_no_system_is_told_what_would_be(given, error, said):
    with pytest.raises(error, match=said):
        system_of(given)


def test_half_a_system_is_told_what_it_lacks():
    class Half:
        def observe(self, claim):
            """Do nothing."""

        def read(self, query, k):
            return ()

    with pytest.raises(ContractError, match="which has no held"):
        system_of(Half())
    with pytest.raises(ContractError, match="class Half has no method held"):
        system_of(Half)
    with pytest.raises(ContractError, match="made a Half, which has no method held"):
        system_of(lambda capacity: Half())[0].make(Setting())


def test_a_class_that_needs_more_than_memspan_has_is_told():
    class Needs(All):
        def __init__(self, path):
            super().__init__()

    with pytest.raises(ContractError, match="Needs needs path, while memspan gives capacity"):
        system_of(Needs)


def test_an_object_that_cannot_be_copied_is_told_when_it_runs():
    given = All()
    given.lock = threading.Lock()
    with pytest.raises(ContractError, match="cannot be copied for a run of its own"):
        system_of(given)[0].make(Setting())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import a_package_that_is_not_there\n", r"ModuleNotFoundError: .*a_package_.*broken\.py, line 1"),
        ("\n1 / 0\n", r"ZeroDivisionError: .*\(broken\.py, line 2\)"),
        ("import statistics\nstatistics.mean([])\n", r"StatisticsError: .*\(broken\.py, line 2\)"),
        ("def keep(\n", r"SyntaxError: .*\(broken\.py, line 1\)"),
        ("import sys\nsys.exit(0)\n", r"SystemExit: 0 \(broken\.py, line 2\)"),
        ("raise ValueError('red \\x1b[31m')\n", r"ValueError: red \\x1b\[31m \(broken"),
    ],
)
def test_a_file_that_fails_is_told_with_its_line_each_time(tmp_path, text, said):
    path = tmp_path / "broken.py"
    path.write_text(text)
    for _ in range(2):
        with pytest.raises(ContractError, match=said):
            system_of(f"{path}:keep")


def test_an_empty_file_has_nothing_of_that_name(tmp_path):
    path = tmp_path / "broken.py"
    path.touch()
    with pytest.raises(UnknownName, match="has no 'keep'; there are none"):
        system_of(f"{path}:keep")


class Fails(All):
    """Fails where it is told to."""

    name = "fails"

    def __init__(self, method="make", error=ValueError):
        super().__init__()
        if method == "make":
            raise error("no room")
        for each in ("observe", "read", "held", "shrink", "close"):
            if each == method or each in {"shrink", "close"}:
                setattr(self, each, functools.partial(self.fail, error, each == method))

    def fail(self, error, now, *given):
        if now:
            raise error("no room")


@pytest.mark.parametrize("error", [ValueError, SystemExit, RecursionError])
@pytest.mark.parametrize("method", ["make", "observe", "read", "held", "shrink", "close"])
def test_what_fails_in_a_users_code_is_told_by_its_call_and_line(method, error):
    (kind,) = system_of(functools.partial(Fails, method, error))
    said = rf"{method} raised {error.__name__}: no room \(test_given\.py, line \d+\)"
    with pytest.raises(ContractError, match=said):
        use(kind)


def use(kind):
    memory = kind.make(Setting())
    memory.observe(Claim("a"))
    memory.held()
    memory.read(Query("q", "?"), 1)
    memory.shrink(1)
    memory.close()


class Answers(All):
    """Holds and reads whatever it is given."""

    def __init__(self, answer=None):
        super().__init__()
        self.answer = answer

    def held(self):
        return self.answer

    def read(self, query, k):
        return self.answer


@pytest.mark.parametrize(
    "answer", [None, 3, "ab", {"a": 1}, ["a"], [Note(1)], [Note("a", None)], [Note("a", "", ["a"])]], ids=repr
)
def test_what_is_no_note_is_refused_when_it_is_held_or_read(answer):
    memory = system_of(Answers(answer))[0].make(Setting())
    with pytest.raises(ContractError, match=r"all of it: held gave .*; a memory system gives"):
        memory.held()
    with pytest.raises(ContractError, match="all of it: read gave"):
        memory.read(Query("q", "?"), 1)


def test_a_guarded_system_can_do_what_the_users_can_and_is_copied_like_it():
    class Shrinking(All):
        def shrink(self, capacity):
            self.notes = dict(list(self.notes.items())[:capacity])

    plain, able = (system_of(each)[0].make(Setting()) for each in (All, Shrinking))
    assert (isinstance(plain, Shrinks), isinstance(able, Shrinks)) == (False, True)
    assert not isinstance(able, Settles)
    for name in "abc":
        able.observe(Claim(name))
        plain.observe(Claim(name))
    twin = copy.deepcopy(able)
    twin.shrink(1)
    assert (len(twin.held()), len(able.held())) == (1, 3)
    assert pickle.loads(pickle.dumps(plain)).held() == plain.held()  # noqa: S301 - our own


def test_what_a_user_prints_does_not_mix_with_results(tmp_path, capsys):
    path = tmp_path / "loud.py"
    path.write_text("print('here')\ndef keep(claims, capacity):\n    print('kept')\n    return claims[:1]\n")
    assert held(system_of(f"{path}:keep")[0]) == ["a"]
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "here\nkept\n")


def test_importing_the_room_starts_no_server_and_needs_no_extra():
    code = "import sys; sys.modules['mcp'] = None; import memspan.systems; sys.exit('httpx2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
