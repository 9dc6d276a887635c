"""A sentence through the Transformer: what the hooks see is what the model computes, and the figure says it."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from course_lib.chapters.ch00_start_here import translate
from course_lib.chapters.ch09_transformer import through
from course_lib.chapters.ch09_transformer.through_figure import SHOWN, stages
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.translator import Translator
from tests.support.editions import ROOT
from tests.support.models import small_transformer

pytestmark = pytest.mark.share(2)


@pytest.fixture(scope="module")
def translator():
    return Translator.load(ROOT / "results" / "embedded" / "transformer-0.safetensors")


SOURCE, TARGET = torch.tensor([[4, 5, 6, 7, 2]]), torch.tensor([[1, 4, 5]])


def plain(text: str) -> str:
    return text.replace("\xa0", " ")


class TestStages:
    def test_every_part_once_in_the_order_of_computation(self):
        found = stages(small_transformer().eval(), SOURCE, TARGET)
        encoder = ["read", "self", "feed", "self", "feed", "norm"]
        decoder = ["read", "self", "cross", "feed", "self", "cross", "feed", "norm", "output"]
        assert [each["box"] for each in found] == encoder + decoder
        assert [each["side"] for each in found] == ["encoder"] * 6 + ["decoder"] * 9
        assert [each["block"] for each in found] == [-1, 0, 0, 1, 1, -1, -1, 0, 0, 0, 1, 1, 1, -1, -1]

    def test_vectors_are_those_of_the_model(self):
        model = small_transformer().eval()
        found = stages(model, SOURCE, TARGET)
        assert torch.equal(found[5]["vectors"], model.encode(SOURCE)[0])
        assert torch.equal(found[-1]["vectors"], model(SOURCE, TARGET)[0])
        for each in found:
            rows = {row["says"]: np.array(row["numbers"]) for row in each["rows"]}
            if each["block"] >= 0:
                np.testing.assert_allclose(rows["before"] + rows["adds"], rows["after"], atol=0.016)
            if each["box"] != "output":
                last = list(rows.values())[-1]
                np.testing.assert_allclose(last, each["vectors"][:, :SHOWN].detach(), atol=0.0051)

    def test_weights_are_those_of_attention_maps(self):
        model = small_transformer().eval()
        found, maps = stages(model, SOURCE, TARGET), model.attention_maps(SOURCE, TARGET)
        for side, box, layers in (
            ("encoder", "self", maps.encoder),
            ("decoder", "self", maps.decoder),
            ("decoder", "cross", maps.cross),
        ):
            mine = [each["weights"] for each in found if (each["side"], each["box"]) == (side, box)]
            for weights, layer in zip(mine, layers, strict=True):
                np.testing.assert_allclose(weights, layer[0].detach(), atol=6e-5)

    def test_no_hook_stays(self):
        model = small_transformer().eval()
        stages(model, SOURCE, TARGET)
        assert not any(module._forward_hooks for module in model.modules())

    @pytest.mark.parametrize(
        "changes", [{"norm": "post"}, {"final_norm": False}, {"position_mode": "append"}]
    )
    def test_refuses_what_the_figure_cannot_draw(self, changes):
        with pytest.raises(ValueError, match="expected 'pre', True, 'add'"):
            stages(small_transformer(**changes).eval(), SOURCE, TARGET)


class TestFigure:
    def test_what_it_says_is_what_the_model_says(self, translator):
        figure = through(translator, "I love you.", word="aime")
        props = figure.given["props"]
        shown = props["stages"][props["stage"]]
        row = shown["weights"][props["head"]][props["word"]["decoder"]]
        assert f"{round(100 * max(row))} %" in plain(figure.title)
        assert "predict ‘aime’" in figure.title
        cross = [each for each in props["stages"] if each["box"] == "cross"]
        sharpest = max(max(head[props["word"]["decoder"]]) for each in cross for head in each["weights"])
        assert max(row) == sharpest

    def test_every_step_has_a_title_and_words(self, translator):
        figure = through(translator, "I love you.")
        titles = set()
        for stage, each in enumerate(figure.given["props"]["stages"]):
            figure.state = {"stage": stage}
            titles.add(figure.title)
            assert f"step {stage + 1} of 15" in figure.alt
            assert " × ".join(f"{size:,}" for size in each["output"]) in plain(figure.alt)
        assert len(titles) > 8

    def test_the_output_s_likeliest_tokens(self, translator):
        figure = through(translator, "I love you.")
        props = figure.given["props"]
        source, target = translator.source_tokeniser, translator.target_tokeniser
        read = torch.tensor([[1, *target.encode("Je t’aime.")]])
        logits = translator.model(torch.tensor([[*source.encode("I love you."), 2]]), read)[0].detach()
        logits[:, :2] = -torch.inf
        for position, likely in enumerate(props["stages"][-1]["likeliest"]):
            best = F.softmax(logits[position], dim=-1).max()
            assert likely[0][1] == pytest.approx(float(best), abs=1e-4)
            assert likely[0][0] == props["predicted"][position]
        figure.state = {"stage": 14, "decoder": 1}
        assert plain(figure.title).startswith("After ‘<s> Je’ the model expects ‘t’’:")

    def test_refuses_a_word_that_is_not_written(self, translator):
        with pytest.raises(ValueError, match="word 'chien': expected one of"):
            through(translator, "I love you.", word="chien")
        with pytest.raises(ValueError, match="expected words, and a Transformer"):
            through(translator, "")


def test_a_word_may_be_hidden_from_any_one_head_but_not_from_all(translator):
    """What the chapter says of the 100 %: one head alone is not needed."""
    model, sentence = translator.model.eval(), "The cat chased the dog."
    source = [*translator.source_tokeniser.encode(sentence), EOS_ID]
    [chased] = translator.source_tokeniser.encode("chased")
    seen = torch.tensor([token != chased for token in source])
    n_heads, n_blocks = model.config.n_heads, len(model.decoder)
    heads = [(block, head) for block in range(n_blocks) for head in range(n_heads)]

    @torch.no_grad()
    def written(hidden: list[tuple[int, int]]) -> str:
        memory, target = model.encode(torch.tensor([source])), [BOS_ID]
        while len(target) < 12 and target[-1] != EOS_ID:
            read = torch.tensor([target])
            x = model.target_embedding(read)
            for number, block in enumerate(model.decoder):
                allowed = torch.ones(1, n_heads, 1, len(source), dtype=torch.bool)
                for head in (head for at, head in hidden if at == number):
                    allowed[:, head] = seen
                x, _, _ = block(x, memory, model.parts.target_mask(read), allowed)
            logits = model.output(model.decoder_norm(x))[0, -1]
            logits[[PAD_ID, BOS_ID]] = -torch.inf
            target.append(int(logits.argmax()))
        return translator.target_tokeniser.decode(target[1:])

    assert len(heads) == 8
    assert {written([]), *(written([head]) for head in heads)} == {"Le chat a poursuivi le chien."}
    assert written(heads) == translate(translator, sentence, "chased") == "Le chat a le chien."
