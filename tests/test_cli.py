"""The course command as its user calls it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from course_lib.cli import main
from course_lib.text.readers import read_corpus, read_folder, read_tsv
from course_lib.text.tokenisers import BPETokeniser
from course_lib.translator import Translator
from tests.support.tiny_training import PAIRS

SMALL = [
    "--d-model",
    "16",
    "--n-heads",
    "2",
    "--d-ff",
    "16",
    "--n-encoder-layers",
    "1",
    "--n-decoder-layers",
    "1",
]
SMALL += [
    "--batch-tokens",
    "200",
    "--validate-every",
    "10",
    "--tokeniser",
    "word",
    "--device",
    "cpu",
    "--quiet",
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    held_out = [("A zebra sees the cat.", "Un zèbre voit le chat."), ("The dog yawns.", "Le chien bâille.")]
    for split, pairs in (("train", PAIRS), ("val", held_out)):
        for language, side in (("en", 0), ("fr", 1)):
            lines = "".join(pair[side] + "\n" for pair in pairs)
            (folder / f"{split}.{language}").write_text(lines, encoding="utf-8")
    return folder


@pytest.fixture
def trained(tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    run = tmp_path / "runs" / "first"
    assert main(["train", str(run), "--corpus", str(corpus), "--steps", "20", *SMALL]) == 0
    capsys.readouterr()
    return run


class TestTrain:
    def test_trains_and_says_what_to_do_next(
        self, tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run = tmp_path / "run"
        assert main(["train", str(run), "--corpus", str(corpus), "--steps", "20", *SMALL]) == 0
        shown = capsys.readouterr().out
        assert "48 training pairs, 2 validation pairs" in shown
        assert f"course translate {run}" in shown
        history = json.loads((run / "history.json").read_text(encoding="utf-8"))
        assert [record["step"] for record in history["validation"]] == [10, 20]
        assert Translator.load(run / "translator.safetensors").facts["bleu"] >= 0

    @pytest.mark.parametrize("attention", ["additive", "none"])
    def test_trains_and_resumes_a_gru(self, tmp_path: Path, corpus: Path, attention: str) -> None:
        run, shape = tmp_path / "run", ["--model", "gru", "--d-hidden", "12", "--attention", attention]
        small = [option for option in SMALL if option not in ("--n-heads", "2", "--d-ff")]
        small.remove("16")  # of --d-ff
        assert main(["train", str(run), "--corpus", str(corpus), "--steps", "10", *shape, *small]) == 0
        assert main(["train", str(run), "--resume", "--steps", "20", "--quiet", "--device", "cpu"]) == 0
        translator = Translator.load(run / "translator.safetensors")
        assert translator.kind == "gru"
        assert (translator.model.config.d_hidden, translator.model.config.attention) == (12, attention)

    def test_a_setting_of_another_model_is_refused(
        self, tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run = ["train", str(tmp_path / "run"), "--corpus", str(corpus), "--model", "gru"]
        assert main([*run, "--n-heads", "2"]) == 1
        assert "--n-heads is no setting of --model gru" in capsys.readouterr().err
        assert not (tmp_path / "run").exists()

    @pytest.mark.share(2)
    def test_resumes_with_the_settings_of_the_run(
        self, trained: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["train", str(trained), "--resume", "--steps", "30", "--quiet", "--device", "cpu"]) == 0
        assert "trained to step 30" in capsys.readouterr().out
        assert main(["train", str(trained), "--resume", "--d-model", "32"]) == 1
        assert "leave --d-model out" in capsys.readouterr().err

    @pytest.mark.parametrize("tokeniser", ["word", "bpe"])
    def test_vocabulary_never_sees_validation_text(
        self, tmp_path: Path, corpus: Path, tokeniser: str
    ) -> None:
        run = tmp_path / "run"
        options = [
            "--corpus",
            str(corpus),
            "--steps",
            "1",
            *SMALL,
            "--tokeniser",
            tokeniser,
            "--vocabulary",
            "300",
        ]
        assert main(["train", str(run), *options]) == 0
        words = Translator.load(run / "translator.safetensors").target_tokeniser
        if tokeniser == "word":
            assert "chat" in words.vocabulary
            assert not {"zebra", "zèbre", "bâille", "yawns"} & set(words.vocabulary)
        else:
            expected = BPETokeniser.train((line for pair in PAIRS for line in pair), n_vocab=300)
            assert words.to_json() == expected.to_json()

    @pytest.mark.share(2)
    def test_ctrl_c_leaves_a_checkpoint_to_go_on_from(self, tmp_path: Path, corpus: Path) -> None:
        run = tmp_path / "run"
        command = [sys.executable, "-m", "course_lib.cli", "train", str(run), "--corpus", str(corpus), *SMALL]
        process = subprocess.Popen(
            [*command, "--steps", "1000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + 60
        while not (run / "history.json").exists() or '"step": 10' not in (run / "history.json").read_text():
            assert time.monotonic() < deadline, process.communicate(timeout=1)
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert process.returncode == 130, err
        assert f"continue with: course train {run} --resume" in out
        assert "Traceback" not in err
        step = int(out.split("stopped at step ")[1].split(",")[0])
        assert (
            main(["train", str(run), "--resume", "--steps", str(step + 5), "--quiet", "--device", "cpu"]) == 0
        )
        assert main(["translate", str(run), "The cat sees the dog."]) == 0

    def test_wrong_calls_leave_nothing_behind(
        self, tmp_path: Path, corpus: Path, trained: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        new = str(tmp_path / "new")
        for arguments, message in [
            (["train", new, "--corpus", str(tmp_path / "nowhere")], "there is no folder"),
            (["corpus", "--split", "tset"], "split: expected one of train, val, test"),
            (["corpus", "--phenomenon", "elison"], "--phenomenon: expected one of article"),
            (["evaluate", str(trained), "--split", "tset"], "no part 'tset'"),
            (["train", new, "--resume"], "holds no training to resume"),
            (
                ["train", new, "--corpus", str(corpus), "--norm", "middle"],
                "norm: expected one of 'pre', 'post'",
            ),
            (
                ["train", new, "--corpus", str(corpus), "--d-model", "wide"],
                "--d-model: expected a whole number",
            ),
            (["train", new, "--corpus", str(corpus), "--dropout", "no"], "--dropout: expected a number"),
            (["train", str(trained), "--corpus", str(corpus)], "holds a training already"),
            (["translate", new, "Hello."], "there is no translator"),
            (["translate", str(corpus / "train.en"), "Hello."], "not a model that this course has saved"),
            (["evaluate", str(trained), "--corpus", str(corpus), "--split", "test"], "looked in"),
        ]:
            assert main(arguments) == 1, arguments
            shown = capsys.readouterr()
            assert message in shown.err
            assert shown.err.count("\n") == 1, "one sentence"
        assert not Path(new).exists()


class TestTranslate:
    def test_arguments_and_standard_input_give_the_same(
        self, trained: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sentences = ["The cat sees the dog.", "", "The bird loves the horse."]
        assert main(["translate", str(trained), *sentences]) == 0
        given = capsys.readouterr().out
        read, write = os.pipe()
        os.write(write, "\n".join(sentences).encode())
        os.close(write)
        with os.fdopen(read) as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            assert main(["translate", str(trained)]) == 0
        assert capsys.readouterr().out == given
        assert len(given.split("\n")) == 4

    @pytest.mark.share(2)
    def test_a_file_does_as_well_as_a_folder(self, trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["translate", str(trained / "translator.safetensors"), "The cat.", "--beam", "1"]) == 0
        assert capsys.readouterr().out.count("\n") == 1


class TestEvaluate:
    def test_prints_bleu_with_its_signature(
        self, tmp_path: Path, trained: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        output = tmp_path / "out.fr"
        assert (
            main(["evaluate", str(trained), "--corpus", str(corpus), "--quiet", "--output", str(output)]) == 0
        )
        shown = capsys.readouterr().out
        assert "val: 2 sentences, beam 5" in shown
        assert "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp" in shown
        assert "exact matches 0.0 %" in shown
        assert len(output.read_text(encoding="utf-8").splitlines()) == 2


class TestEmbeddedCorpus:
    @pytest.mark.share(2)
    def test_is_used_when_no_other_is_named(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        run = str(tmp_path / "run")
        assert main(["train", run, "--steps", "1", *SMALL]) == 0
        assert "20,000 training pairs, 500 validation pairs" in capsys.readouterr().out
        assert main(["evaluate", run, "--split", "sources", "--quiet", "--beam", "1", "--examples", "0"]) == 0
        assert "sources: 5 sentences, greedy" in capsys.readouterr().out
        assert main(["train", run, "--resume", "--steps", "2", "--quiet", "--device", "cpu"]) == 0

    def test_is_shown(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["corpus", "--phenomenon", "h_aspire", "--samples", "3", "--annotations"]) == 0
        shown = capsys.readouterr().out
        assert "train           20,000" in shown
        assert shown.count("alignment  ") == 3
        chosen = shown.split("from train, h_aspire:")[1]
        assert all("h_aspire" in line for line in chosen.splitlines() if "phenomena " in line)
        assert main(["corpus", "--phenomenon", "h_aspire", "--samples", "3", "--annotations"]) == 0
        assert capsys.readouterr().out == shown  # the same sentences for the same seed

    def test_is_written_in_both_forms_that_readers_take(self, tmp_path: Path) -> None:
        assert main(["corpus", "--write", str(tmp_path / "folder")]) == 0
        assert main(["corpus", "--split", "test", "--tsv", str(tmp_path / "test.tsv")]) == 0
        expected = read_corpus(None, "test")
        assert len(expected) == 1000
        assert read_folder(tmp_path / "folder", "test") == expected
        assert read_tsv(tmp_path / "test.tsv") == expected


class TestHelp:
    @pytest.mark.parametrize("command", [[], ["train"], ["translate"], ["evaluate"], ["corpus"]])
    def test_help_helps(self, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as stopped:
            main([*command, "--help"])
        assert stopped.value.code == 0
        assert "show this help" in capsys.readouterr().out

    def test_help_loads_no_torch(self) -> None:
        code = "import sys; from course_lib.cli import main\ntry: main(['train', '--help'])\nexcept SystemExit: pass\n"
        code += "assert 'torch' not in sys.modules"
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.soak
def test_learns_from_the_real_corpus(corpus_folder: Path, tmp_path: Path) -> None:
    """Real text, BPE, a loss well under that of guessing by frequency; `make test` has the course's own."""
    run = tmp_path / "run"
    options = ["--corpus", str(corpus_folder), "--steps", "60", "--d-model", "64", "--n-encoder-layers", "1"]
    options += ["--n-decoder-layers", "1", "--d-ff", "128", "--vocabulary", "3000", "--warmup-steps", "30"]
    assert main(["train", str(run), *options, "--validate-every", "1000", "--device", "cpu", "--quiet"]) == 0
    history = json.loads((run / "history.json").read_text(encoding="utf-8"))
    assert history["validation"][-1]["loss"] < 6.0  # log 3000 = 8.0; a unigram model has about 6.2
