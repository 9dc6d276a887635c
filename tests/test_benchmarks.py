"""The benchmarks: the way of measuring gives everyone the same chance, and the table says what was measured."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import gpu
import pytest
import run as bench
import torch

from course_lib.model import TransformerConfig

ROOT = Path(__file__).resolve().parents[1]


class Silent:
    """A progress bar that shows nothing."""

    def set_postfix_str(self, text):
        pass

    def update(self):
        pass


def test_goals_are_for_peers_of_the_race():
    for race in bench.RACES.values():
        assert all(set(goals) <= set(race.peers) for goals in race.goals.values())


def test_contestants_take_turns_and_none_is_always_first(monkeypatch):
    ran = []

    def run(command):
        ran.append(command[0])
        return {"seconds": float(len(ran))}

    monkeypatch.setattr(bench, "run", run)
    race = bench.Race("work", ("a",), {"b": ("b",), "c": ("c",)}, {"seconds": {"b": 1.0}})
    found = bench.measure(race, 3, Silent())
    assert ran == ["a", "b", "c", "b", "c", "a", "c", "a", "b"]
    assert found["figures"]["seconds"] == {
        "ours": [1.0, 6.0, 8.0],
        "b": [2.0, 4.0, 9.0],
        "c": [3.0, 5.0, 7.0],
    }


def test_contestants_that_do_other_work_are_refused(monkeypatch):
    monkeypatch.setattr(bench, "run", lambda command: {"seconds": 1.0, "points": float(len(command))})
    race = bench.Race("work", ("a",), {"b": ("b", "c")}, {"seconds": {}}, same=("points",))
    with pytest.raises(SystemExit, match="differ in points"):
        bench.measure(race, 1, Silent())


def test_a_goal_is_met_or_missed_by_the_median_of_the_ratios_in_each_round(monkeypatch):
    race = bench.Race("work", ("a",), {"b": ("b",), "c": ("c",)}, {"seconds": {"b": 0.5}})
    monkeypatch.setattr(bench, "RACES", {"work": race})
    figures = {"ours": [1.0, 1.0, 3.0], "b": [1.0, 4.0, 8.0], "c": [2.0, 2.0, 2.0]}
    results = {"races": {"work": {"figures": {"seconds": figures}}}}
    assert bench.rows(results) == [
        ["work", "1.00 s", "b", "4.00 s", "0.38 (0.25–1.00)", "≤ 0.5 ✓"],
        ["work", "1.00 s", "c", "2.00 s", "0.50 (0.50–1.50)", ""],
    ]


@pytest.mark.parametrize(("name", "peer"), [("numpy", "one word at a time"), ("import", "an empty Python")])
def test_a_race_can_be_run(name, peer):
    race = bench.RACES[name]
    (figure,) = race.goals
    ours, theirs = bench.run(race.ours), bench.run(race.peers[peer])
    assert 0 < ours[figure] < 60
    assert 0 < theirs[figure] < 60


def test_a_task_that_fails_ends_it_with_what_the_task_said():
    with pytest.raises(SystemExit, match=r"bench: lookups\.py nobody failed(.|\n)*invalid choice: 'nobody'"):
        bench.run(("lookups.py", "nobody"))


def test_every_task_says_what_it_does():
    for path in sorted(bench.TASKS.glob("*.py")):
        assert path.read_text(encoding="utf-8").startswith('"""')
    used = {race.ours[0] for race in bench.RACES.values()} | {g.command[0] for g in bench.GROWTHS.values()}
    assert {name for name in used if name.endswith(".py")} | {"timing.py"} == {
        path.name for path in bench.TASKS.glob("*.py")
    }


def test_a_name_that_is_none_is_answered_by_what_there_is():
    command = [sys.executable, str(ROOT / "benchmarks" / "run.py"), "nothing"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "nothing is called nothing; --list names what there is" in done.stderr


def test_the_table_shows_the_exponent_of_each_round_and_the_machine(monkeypatch):
    monkeypatch.setattr(bench, "RACES", {})
    machine = {"processor": "A chip", "cores": 2, "python": "3.11.7", "torch": "2.13.0"}
    sizes = (512, 1024, 2048)
    growths = {
        "growth-full": {"sizes": {str(n): [1e-6 * n**1.9, 3e-6 * n**2.0, 5e-6 * n**2.2] for n in sizes}}
    }
    results = {"date": "2026-11-23", "command": "make bench", "machine": machine, "n_rounds": 3, "races": {}}
    text = bench.markdown(results | {"growths": growths})
    assert text.startswith(
        "Measured on 2026-11-23 by `make bench`: A chip, 2 cores, Python 3.11.7, PyTorch 2.13.0"
    )
    line = "| full attention against length | 786 ms at 512 | 12.6 s at 2,048 | 2.00 (1.90–2.20) | 2 |"
    assert line in text


def test_a_growth_is_measured_size_by_size_in_each_round(monkeypatch):
    ran = []

    def run(command):
        ran.append(command)
        return {"seconds": float(len(ran))}

    monkeypatch.setattr(bench, "run", run)
    found = bench.grow(bench.Growth("work", ("a",), (2, 4), 1), 2, Silent())
    assert ran == [("a", "2"), ("a", "4")] * 2
    assert found == {"sizes": {"2": [1.0, 3.0], "4": [2.0, 4.0]}}


def test_a_size_that_takes_long_is_measured_once(monkeypatch):
    ran = []

    def run(command):
        ran.append(command[-1])
        return {"seconds": float(len(ran))}

    monkeypatch.setattr(bench, "run", run)
    found = bench.grow(bench.Growth("work", ("a",), (2, 40), 1, once=(40,)), 3, Silent())
    assert ran == ["2", "40", "2", "2"]
    assert found == {"sizes": {"2": [1.0, 3.0, 4.0], "40": [2.0]}}


def test_what_was_measured_is_kept_and_shown(tmp_path, monkeypatch):
    """A whole run of one race, in a copy: the table goes between the marks, and nothing else changes."""
    readme = tmp_path / "README.md"
    readme.write_text(f"Before.\n{bench.BEGIN}old\n{bench.END}After.\n", encoding="utf-8")
    monkeypatch.setattr(bench, "README", readme)
    monkeypatch.setattr(bench, "STORED", tmp_path / "kept.json")
    monkeypatch.setattr(bench, "RACES", {"import": bench.RACES["import"]})
    monkeypatch.setattr(bench, "GROWTHS", {})
    monkeypatch.setattr(sys, "argv", ["run.py", "--rounds=3", "--publish"])
    assert bench.main() == 0
    results = json.loads((tmp_path / "kept.json").read_text(encoding="utf-8"))
    assert [len(found) for found in results["races"]["import"]["figures"]["wall"].values()] == [3, 3]
    text = readme.read_text(encoding="utf-8")
    assert text.startswith(f"Before.\n{bench.BEGIN}")
    assert text.endswith(f"\n</details>\n\n{bench.END}After.\n")
    assert bench.markdown(results) in text
    assert "old" not in text
    assert bench.with_table(text, bench.markdown(results)) == text
    assert "| `import course_lib` |" in text


def test_the_readme_shows_the_table_that_is_stored_and_no_other():
    readme = bench.README.read_text(encoding="utf-8")
    if not bench.STORED.exists():  # none has been published
        assert bench.BEGIN + bench.END in readme
        return
    results = json.loads(bench.STORED.read_text(encoding="utf-8"))
    assert set(results["races"]) == set(bench.RACES), "a race is new: make bench BENCH_ARGS=--publish"
    assert set(results["growths"]) == set(bench.GROWTHS)
    assert bench.with_table(readme, bench.markdown(results)) == readme


def test_what_has_been_measured_is_shown_though_a_task_fails(monkeypatch, capsys):
    def run(command):
        if command[0] == "b":
            raise SystemExit("bench: b failed")
        return {"seconds": 1.0}

    races = {"first": bench.Race("quick work", ("a",), {"other": ("a",)}, {"seconds": {}})}
    races["second"] = bench.Race("hard work", ("b",), {}, {"seconds": {}})
    for name, value in (("run", run), ("RACES", races), ("GROWTHS", {})):
        monkeypatch.setattr(bench, name, value)
    monkeypatch.setattr(sys, "argv", ["run.py", "--rounds=3"])
    with pytest.raises(SystemExit, match="b failed"):
        bench.main()
    assert "| quick work | 1.00 s | other |" in capsys.readouterr().out


def test_estimates_follow_the_figures():
    machine = {"processor": "A chip", "cores": 2, "python": "3.11.7", "torch": "2.13.0"}
    figures = {"ours": [0.5, 0.5, 0.5], **{peer: [1.0] * 3 for peer in bench.RACES["training-step"].peers}}
    results = {
        "machine": machine,
        "races": {"training-step": {"figures": {"seconds": figures}}},
        "growths": {"growth-class": {"sizes": {"10": [9.0] * 3, "100": [0.72] * 3}}},
    }
    grading, training = bench.on_paper(results)
    assert "20 hours on this machine's 2 cores, 2 minutes on a cluster of 1,000" in grading
    # Table 3 of the paper: 65 million weights; biases, norms and what is only looked up take no product.
    assert bench.flop_a_token(bench.PAPERS_MODEL) / 6 == pytest.approx(63e6, rel=0.02)
    assert "9e+17 floating-point operations" in training


def test_the_estimates_count_the_model_that_the_training_step_measures(monkeypatch):
    monkeypatch.syspath_prepend(str(bench.TASKS))
    config, task = TransformerConfig(1, 1), runpy.run_path(str(bench.TASKS / "training_step.py"))
    assert config.n_encoder_layers == config.n_decoder_layers == bench.OUR_MODEL["layers"]
    assert (config.d_model, config.d_ff) == (bench.OUR_MODEL["d"], bench.OUR_MODEL["d_ff"])
    assert (task["N_VOCAB"], task["N_TOKENS"]) == (bench.OUR_MODEL["vocabulary"], bench.OUR_BATCH)


def test_the_whole_table_is_published_or_none():
    command = [sys.executable, str(ROOT / "benchmarks" / "run.py"), "numpy", "--publish"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "the README shows the whole table" in done.stderr


def test_what_a_gpu_is_to_measure_runs_without_one_in_small(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(gpu, "STORED", tmp_path / "gpu.json")
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--small"])
    assert gpu.main() == 0
    printed = capsys.readouterr().out
    record = json.loads(printed[printed.index("{\n") :])  # below how training went
    assert [len(by_length["seconds"]) for by_length in record["attention"].values()] == [2, 2]
    assert record["training"]["validation"]
    assert record["training"]["seconds_to_the_goal"] is None
    assert not (tmp_path / "gpu.json").exists()


def test_without_a_gpu_no_record_is_made(monkeypatch, capsys):
    monkeypatch.setattr(gpu, "choose_device", lambda: torch.device("cpu"))
    monkeypatch.setattr(sys, "argv", ["gpu.py"])
    with pytest.raises(SystemExit):
        gpu.main()
    assert "there is no CUDA GPU here, or no --corpus; --small tries it without" in capsys.readouterr().err
