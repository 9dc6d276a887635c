"""Records: what an earlier version of the course has written is read by this one."""

import json

from course_grading.records import load_record, record_path, save_record

# As version 0.1.0 wrote them.
GRADED = {
    "student": "ada",
    "problem_set": "ps01",
    "status": "interrupted",
    "told": "Your code was stopped after 60 seconds: does it ever end?",
    "verdicts": [
        {
            "question": "q1",
            "parts": [
                {
                    "name": "a convolution",
                    "points": 0,
                    "out_of": 3,
                    "message": "The kernel is not turned around.",
                    "doubt": "",
                    "failed": [{"case": 1, "fault": "wrong", "got": [1.0, {"shape": [2]}]}],
                },
                {"name": "its length", "points": 1, "out_of": 1, "message": "", "doubt": "", "failed": []},
            ],
        }
    ],
    "tampering": ["The cell q1-tests was changed; it was put back."],
    "key": "5f",
    "seconds": 3.25,
}
REFUSED = {
    "student": "ada",
    "problem_set": "ps02",
    "status": "refused",
    "told": "There is no ps02.ipynb in what was handed in; found: nothing.",
    "verdicts": [],
    "tampering": [],
    "key": "",
    "seconds": 0.0,
}


def test_records_of_an_earlier_version_are_read_and_written_again_as_they_were(tmp_path):
    for stored in (GRADED, REFUSED):
        path = record_path(tmp_path, stored["problem_set"], "ada")
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(stored), encoding="utf-8")
        record = load_record(path)
        assert record.status == stored["status"]
        assert record.is_graded == (stored is GRADED)
        save_record(tmp_path, record)
        again = load_record(path)
        assert again == record
    record = load_record(record_path(tmp_path, "ps01", "ada"))
    assert (record.points, record.out_of, record.tampering) == (1, 4, tuple(GRADED["tampering"]))
    assert record.verdicts[0].messages == ["The kernel is not turned around."]
    assert record.verdicts[0].parts[0].failed[0].case == 1
