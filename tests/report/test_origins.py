from memspan.material import READER, Material
from memspan.report.origins import NOTES, reader_told


def test_every_source_of_questions_has_a_note_and_circular_ones_say_so():
    assert set(NOTES) == {"given", "log", "model", "template"}
    assert "circular" in NOTES["template"]
    assert "circular" in NOTES["model"]


def test_a_reader_is_told_with_what_was_measured():
    figures = {"recall_1": 0.5, "recall_10": 0.75}
    told = {"rule": "own", "questions_alone": 2, "reliability": {"asked": figures}}
    text = reader_told(Material("m", extra={READER: told}))
    assert "own reader" in text
    assert "2 questions by the question alone" in text
    assert "50 %" in text
    assert "75 %" in text
