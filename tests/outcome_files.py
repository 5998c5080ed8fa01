"""Files of outcomes as Python values, written here, in the shape that each program gives them."""

from memspan.material import Claim, Material, Query

TRIP = Material(
    "trip",
    (Claim("c1", "Ana moved to Porto."), Claim("c2", "Rui cooks.")),
    queries=(Query("q1", "Where does Ana live?"), Query("q2", "Who cooks?"), Query("q3", "Who cooks?")),
)
HOME = Material("home", queries=(Query("q1", "Where is the key?"), Query("h2", "Whose café is it?")))


ROWS = [
    {"material": "trip", "query_id": "q1", "correct": 1, "claims": ["c1"], "run": "a", "weight": 2},
    {"query": "whose CAFE is it", "correct": 0.25, "context": "Rui's", "run": "b", "time": "2026-03-01"},
    {"query": "h2", "correct": "wrong", "judge": "c"},
]


def halumem_run():
    base = {"uuid": "user-1", "ssession_id": 0}
    context = (
        'Memories for user Una:\n\n    [\n    "2030-01-05T09:00:00+00:00: Una\\u2019s home is Oakham."\n]'
    )
    answers = [
        {"question": "Where does Una live?", "result_type": "Correct", "context": context, **base},
        {"question": "What is her shoe size?", "result_type": "Hallucination", "context": "none", **base},
        {"question": "And then?", "result_type": "Omission", "context": "", **base, "ssession_id": 2},
        {"question": "Where does Una live?", "result_type": "judge_failed", "context": "", **base},
        {"question": "Where does Una live?", "result_type": "Correct", "uuid": "user-1"},
    ]
    return {
        "question_answering_records": answers,
        "memory_accuracy_records": [
            {"memory_content": "Una's home is Oakham.", **base},
            {"memory_content": "Una moved.", **base, "ssession_id": 1},
            {"memory_content": None, **base},
        ],
        "memory_integrity_records": [
            {"memory_content": "Una lives in Oakham", "memory_integrity_score": 1, **base},
            {"memory_content": "Una likes tea", "memory_integrity_score": 2, **base, "ssession_id": 1},
            {"memory_content": "Una has a boat", "memory_integrity_score": "judge_failed", **base},
            {"memory_content": "Una sings", "memory_integrity_score": 0, **base},
        ],
        "memory_update_records": [
            {
                "memory_content": "Una moved to Elmton",
                "memory_update_type": "Omission",
                "memories_from_system": ["2030-02-05T09:00:00Z: Una moved."],
                **base,
                "ssession_id": 1,
            }
        ],
    }


def trace(**fields):
    told = {"question_id": "other-1", "query": "Where does Ana live?", "raw_recall": "Ana moved to Porto."}
    return {**told, "status": "scored", "score": 1.0, "max_score": 2.0, "scored_correct": True, **fields}


def result(name, **fields):
    sessions = ["garden:session_1", "garden:session_2", "garden:session_1"]
    told = {"question_id": name, "abstention": False, "recall": {"1": False, "10": True}}
    return {**told, "retrieved_sessions": sessions, **fields}
