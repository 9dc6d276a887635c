"""Do the tests see the mistakes that everybody makes in a Transformer?

Each is put, alone, into a copy of the course, where a named part of the tests must then fail. `make soak` does that;
`make test` sees that each mistake can still be put in.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
FUNCTIONAL, MODEL, FAST = "tests/test_functional.py", "tests/model", "tests/fast"
PARTS = ("course_lib", "tests", "pyproject.toml", "conftest.py")


class Mistake(NamedTuple):
    """A mistake: the file and the line it is made in, and the tests that must see it."""

    file: str
    right: str
    wrong: str
    tests: str


ATTENTION, NUMPY = "course_lib/model/attention.py", "course_lib/functional/attention.py"
POSITIONS, STEPS = "course_lib/model/positions.py", "course_lib/fast/steps.py"
MISTAKES = {
    "softmax over the wrong axis, NumPy": Mistake(
        NUMPY, "weights = softmax(scores, axis=-1)", "weights = softmax(scores, axis=-2)", FUNCTIONAL
    ),
    "softmax over the wrong axis, masked": Mistake(
        ATTENTION, "row_has_some, -math.inf), dim=-1)", "row_has_some, -math.inf), dim=-2)", MODEL
    ),
    "softmax over the wrong axis, no mask": Mistake(
        ATTENTION, "return torch.softmax(scores, dim=-1)", "return torch.softmax(scores, dim=-2)", MODEL
    ),
    "no √d_k, NumPy": Mistake(NUMPY, "scores / math.sqrt(d_k) if scaled else scores", "scores", FUNCTIONAL),
    "no √d_k": Mistake(ATTENTION, " / math.sqrt(queries.shape[-1])", "", MODEL),
    "mask after the softmax, NumPy": Mistake(
        NUMPY,
        "    weights = softmax(scores, axis=-1)\n",
        "    weights = np.exp(np.maximum(scores, -700)) / np.exp(np.maximum(scores, -700)).sum(-1, keepdims=True)\n",
        FUNCTIONAL,
    ),
    "mask after the softmax": Mistake(
        ATTENTION,
        "torch.softmax(scores.masked_fill(~mask & row_has_some, -math.inf), dim=-1)",
        "torch.softmax(scores, -1)",
        MODEL,
    ),
    "a causal mask that sees the next": Mistake(ATTENTION, ".tril()", ".tril(1)", MODEL),
    "a causal mask that does not see itself": Mistake(ATTENTION, ".tril()", ".tril(-1)", MODEL),
    "causal mask off by one, NumPy": Mistake(
        "course_lib/functional/masks.py", "<= query_positions[:, None]", "< query_positions[:, None]", FUNCTIONAL
    ),
    "a mask read the other way round": Mistake(ATTENTION, "(~mask & row", "(mask & row", MODEL),
    "a mask read the other way round, fused": Mistake(
        "course_lib/fast/kernels.py", "attn_mask=mask | ~has_key", "attn_mask=~mask | ~has_key", MODEL
    ),
    "a mask that shows the padding": Mistake(
        "course_lib/model/blocks.py", "(ids != PAD_ID).unsqueeze(1)", "(ids == PAD_ID).unsqueeze(1)", MODEL
    ),
    "−10⁴ for −∞": Mistake(ATTENTION, "row_has_some, -math.inf)", "row_has_some, -1e4)", MODEL),
    "−10⁹ for −∞, NumPy": Mistake(NUMPY, "scores), scores, -np.inf)", "scores), scores, -1e9)", FUNCTIONAL),
    "positions from 1": Mistake(
        POSITIONS, "torch.arange(start, start + length,", "torch.arange(start + 1, start + length + 1,", MODEL
    ),
    "sine and cosine exchanged": Mistake(POSITIONS, "[theta.sin(), theta.cos()]", "[theta.cos(), theta.sin()]", MODEL),
    "heads merged in another order": Mistake(
        ATTENTION, "heads.transpose(1, 2).flatten(2)", "heads.permute(0, 2, 3, 1).flatten(2)", MODEL
    ),
    "heads split in another order": Mistake(
        ATTENTION,
        "x.unflatten(-1, (n_heads, -1)).transpose(1, 2)",
        "x.unflatten(-1, (-1, n_heads)).permute(0, 3, 1, 2)",
        MODEL,
    ),
    "no causal mask outside training": Mistake(
        "course_lib/model/transformer.py",
        "self.parts.target_mask(target_in)",
        "self.parts.target_mask(target_in) if self.training else None",
        MODEL,
    ),
    "each decoding step at position 0": Mistake(
        STEPS, "self.model.target_embedding(tokens.unsqueeze(1), start=self.position)",
        "self.model.target_embedding(tokens.unsqueeze(1))", "tests/model tests/fast tests/test_decoding.py",
    ),
    "pre-norm and post-norm exchanged": Mistake(
        "course_lib/model/blocks.py", '{"pre": True, "post": False}[norm]', '{"pre": False, "post": True}[norm]', MODEL
    ),
    "padding in the training loss": Mistake(
        "course_lib/fast/preparation.py", "target_out != PAD_ID", "target_out >= 0", "tests/test_training.py"
    ),
    "padding in the validation loss": Mistake(
        "course_lib/training.py", "ignore_index=PAD_ID, reduction", "reduction", "tests/test_training.py"
    ),
    "a vocabulary that has seen the validation text": Mistake(
        "course_lib/cli/translator.py",
        "for pair in training for line in pair]",
        "for pair in [*training, *_read(options.corpus)[1]] for line in pair]",
        "tests/test_cli.py",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_can_be_made_in_one_place(name):
    mistake = MISTAKES[name]
    source = (ROOT / mistake.file).read_text(encoding="utf-8")
    assert source.count(mistake.right) == 1
    compile(source.replace(mistake.right, mistake.wrong), mistake.file, "exec")


@pytest.mark.soak
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_makes_a_test_fail(name, tmp_path):
    mistake = MISTAKES[name]
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, tmp_path / part)
    path = tmp_path / mistake.file
    path.write_text(path.read_text(encoding="utf-8").replace(mistake.right, mistake.wrong), encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *mistake.tests.split()],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    print(found.stdout[-2000:])
    assert found.returncode == 1  # tests ran, and one failed
    assert "\nFAILED " in found.stdout
