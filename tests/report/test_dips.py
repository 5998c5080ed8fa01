"""Where one claim more costs answers: said, drawn and listed; nothing of it where that never happens."""

import re

import pytest
from hypothesis import given

import memspan as ms
from memspan.coverage import Harm
from memspan.material import Claim, Material, Query, Support
from memspan.optimum import exact_size, frontier
from memspan.report import Study, render, svg
from memspan.report.asides import asides
from memspan.report.dips import dips
from memspan.report.placed import place
from memspan.report.tables import sizes
from memspan.testing import problems

HOSTILE = "</script><img src=x onerror=alert(1)>"


def study_of(material, memory=None):
    found = frontier(material)
    return Study(
        material,
        found,
        placed=None if memory is None else place(found, memory),
        exact=exact_size(material),
    )


def overturned(pairs=1, harmless=2, text="Later on this changed."):
    """Each old fact answers more than the new one that overturns it."""
    old, new = ([f"{kind}{i}" for i in range(pairs)] for kind in ("old", "new"))
    claims = [Claim(name, text) for name in (*old, *new, *(f"s{i}" for i in range(harmless)))]
    queries = [
        query
        for i in range(pairs)
        for query in (
            Query(f"q{i}", f"{text}?", weight=3 + i, supports=(Support((f"old{i}",), (f"new{i}",)),)),
            Query(f"n{i}", supports=(Support((f"new{i}",)),), wrong=(Support((f"old{i}",), (f"new{i}",)),)),
        )
    ]
    return Material("overturned", tuple(claims), queries=tuple(queries))


def test_the_dip_is_told_with_its_size_its_claim_and_its_question():
    (told,) = asides([study_of(overturned())])
    assert told == (
        "With every claim held 1 question falls: at exactly 4 claims even the best memory answers "
        "50 points less than at 3, because of new0 (defeats q0)."
    )


def test_of_several_dips_the_deepest_is_told_and_the_others_are_counted():
    (told,) = asides([study_of(overturned(pairs=3))])
    assert "3 questions fall: at exactly 8 claims" in told
    assert told.endswith("because of new2 (defeats q2); 2 dips more.")


def test_of_several_materials_the_deepest_dip_of_all_is_told():
    (told,) = asides([study_of(ms.bundled("odyssey")), study_of(overturned())])
    assert told == (
        "In 1 of 2 materials holding one claim more can cost answers; most at exactly 4 claims of "
        "overturned, 50 points less."
    )


def test_where_nothing_is_defeated_nothing_is_said_drawn_or_listed():
    study = study_of(ms.bundled("odyssey"))
    assert asides([study]) == []
    assert dips(study) is None
    assert 'class="exact"' not in svg([study])
    assert "costs answers" not in render([study])


def test_every_dip_has_a_row_with_its_cause():
    table = dips(study_of(overturned(pairs=2)))
    assert [row[0] for row in table.rows] == ["5", "6"]
    assert table.rows[0][2:] == (
        "22.2 points",
        "new0 Later on this changed.",
        "q0 Later on this changed.?",
    )
    assert table.more == 0


def test_a_long_list_of_dips_is_cut_and_says_so():
    table = dips(study_of(overturned(pairs=40)))
    assert (len(table.rows), table.more) == (25, 15)


def test_the_picture_has_a_second_line_and_a_point_at_each_dip():
    drawn = svg([study_of(overturned(pairs=2))])
    assert drawn.count('class="exact"') == 1
    assert drawn.count('class="dip"') == 2
    assert "exactly S claims: down to 22.2 %" in drawn
    assert "exactly 4 claims: 25 %" in svg([study_of(overturned())])


def test_the_axis_reaches_the_last_dip_however_far_off():
    study = study_of(overturned(harmless=60))
    x = [float(at) for at in re.findall(r'class="dip" cx="([\d.]+)"', svg([study]))]
    assert study.exact.dips[0].size == 62
    assert len(x) == 1
    assert x[0] <= 724


def test_the_page_lists_dips_and_says_how_sure_they_are():
    page = render([study_of(overturned(text=HOSTILE))])
    assert "Where one claim more costs answers" in page
    assert "bounds meet at 5 of 5 sizes; 1 dip" in page
    assert "<img" not in page


def test_what_everything_held_together_answers_is_not_called_all():
    names = [row[0] for row in sizes(study_of(overturned()), (0.5,)).rows]
    assert names == ["50 %", "full context"]


def test_a_memory_tells_what_it_answers_wrongly():
    study = study_of(overturned(), memory=["old0"])
    assert study.placed.harm == Harm(0.75, 0.25, 0)
    assert asides([study])[-1].endswith("It answers 75 % rightly, 25 % wrongly and 0 % not at all.")
    assert asides([study_of(overturned(), memory=["new0"])])[-1].endswith("It answers nothing wrongly.")
    assert study_of(ms.bundled("odyssey"), memory=["e1"]).placed.harm is None


@given(problems(defeaters=True))
def test_every_material_with_defeaters_becomes_a_page(material):
    study = study_of(material)
    render([study])
    svg([study])
    assert (dips(study) is None) == (not study.exact.dips)


@pytest.mark.parametrize("pairs", [1, 2, 45])
def test_the_line_of_exact_sizes_ends_where_everything_held_ends(pairs):
    study = study_of(overturned(pairs=pairs))
    assert study.exact.lower[-1] == study.frontier.baseline
