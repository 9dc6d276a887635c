"""The sentences of the experiment say what they are said to say, and each model sees what it may see."""

import pytest
import torch

from course_lib.chapters.ch01_why_attention import distances
from course_lib.chapters.ch01_why_attention.distances import (
    ENDINGS,
    FARTHER,
    FILLERS,
    MARGIN,
    MAX_LENGTH,
    MODELS,
    NOUNS,
    PAD,
    TRAINED,
    VERBS,
    accuracy,
    draw_sentences,
    trained,
)

TASKS = ["plain", "distractors", "nearest"]


def drawn(task, where=TRAINED, n=400, seed=1):
    return draw_sentences(n, task, where, torch.Generator().manual_seed(seed))


def nouns_of(words):
    """(position, kind, ending) of each noun."""
    return [
        (i, k, kind.index(word))
        for i, word in enumerate(words)
        for k, kind in enumerate(NOUNS)
        if word in kind
    ]


@pytest.mark.parametrize("task", ["plain", "distractors"])
@pytest.mark.parametrize("where", [TRAINED, FARTHER, [1]])
def test_the_one_noun_of_the_verbs_kind_is_its_subject(task, where):
    sentences = drawn(task, where)
    for i in range(len(sentences.words)):
        words = sentences.spelled(i)
        verb = sentences.verbs[i].item()
        kind = VERBS.index(words[verb])
        ((position, _, ending),) = [noun for noun in nouns_of(words) if noun[1] == kind]
        assert verb - position == sentences.distances[i].item()
        assert ending == sentences.answers[i].item()
        assert sum(word in VERBS for word in words) == 1


def test_in_the_plain_task_the_rest_are_fillers():
    assert all(len(nouns_of(drawn("plain").spelled(i))) == 1 for i in range(50))
    assert sum(len(nouns_of(drawn("distractors").spelled(i))) for i in range(50)) > 150


def test_in_the_nearest_task_the_last_noun_before_the_verb_counts_whatever_its_kind():
    sentences, same_kind = drawn("nearest"), 0
    for i in range(400):
        words, verb = sentences.spelled(i), sentences.verbs[i].item()
        position, kind, ending = max(noun for noun in nouns_of(words) if noun[0] < verb)
        assert (verb - position, ending) == (sentences.distances[i].item(), sentences.answers[i].item())
        same_kind += VERBS.index(words[verb]) == kind
    assert 80 < same_kind < 190  # by chance a third


@pytest.mark.parametrize("task", TASKS)
def test_padding_ends_sentences_and_everything_else_varies(task):
    sentences = drawn(task, FARTHER)
    assert sentences.words.shape[1] == MAX_LENGTH == MARGIN + 12 + 1 + MARGIN
    for row, verb in zip(sentences.words.tolist(), sentences.verbs.tolist(), strict=True):
        length = next((i for i, word in enumerate(row) if word == PAD), len(row))
        assert all(word == PAD for word in row[length:])
        assert 0 <= length - 1 - verb <= MARGIN
    assert set(sentences.distances.tolist()) == set(FARTHER)
    assert set(sentences.answers.tolist()) == set(range(len(ENDINGS)))
    for far in (7, 12):
        starts = (sentences.verbs - sentences.distances)[sentences.distances == far]
        assert set(starts.tolist()) == set(range(MARGIN + 12 - far + 1))


def test_every_word_has_its_own_number():
    assert len(set(distances.VOCABULARY)) == distances.N_VOCAB
    assert distances.VOCABULARY[distances.FILLER :] == FILLERS


@pytest.mark.parametrize(
    ("task", "where", "told"),
    [("easy", [1], "'easy'"), ("plain", [], "at least"), ("plain", [0, 1], r"\[0, 1\]")],
)
def test_what_cannot_be_drawn_is_named(task, where, told):
    with pytest.raises(ValueError, match=told):
        drawn(task, where)


# ---- Models ----


def influence(name, words, verb):
    """Which word positions the answer depends on, by the derivative with respect to the embeddings."""
    torch.manual_seed(0)
    model = MODELS[name]()
    kept = []
    model.embed.register_forward_hook(
        lambda *call: kept.append(call[-1].requires_grad_()) or call[-1].retain_grad()
    )
    model(words[None], torch.tensor([verb])).square().sum().backward()
    return (kept[0].grad[0, : len(words)].abs().sum(dim=1) > 0).nonzero().flatten().tolist()


WORDS = torch.arange(1, 19)  # 18 different words
VERB_AT = 12


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("convolution", range(4, 18)),  # a reach of 8
        ("dense", range(18)),
        ("GRU", range(13)),
        ("attention", range(18)),
        ("attention with positions", range(18)),
    ],
)
def test_each_model_sees_what_it_is_said_to_see(name, expected):
    assert influence(name, WORDS, VERB_AT) == list(expected)


@pytest.mark.parametrize("name", MODELS)
def test_padding_does_not_change_an_answer(name):
    torch.manual_seed(0)
    model = MODELS[name]()
    padded = torch.cat([WORDS, torch.zeros(1, dtype=torch.int64)])
    verb = torch.tensor([VERB_AT])
    torch.testing.assert_close(model(padded[None], verb), model(WORDS[None], verb))


def test_attention_without_positions_does_not_care_about_order_and_the_others_do():
    order = torch.tensor([*range(11, -1, -1), *range(12, 18)])  # what stands before the verb, turned round
    verb = torch.tensor([VERB_AT])
    for name, build in MODELS.items():
        torch.manual_seed(0)
        model = build()
        same = torch.allclose(model(WORDS[None], verb), model(WORDS[order][None], verb), atol=1e-5)
        assert same == (name == "attention")


def test_parameter_counts_are_matched():
    counts = {name: sum(p.numel() for p in build().parameters()) for name, build in MODELS.items()}
    assert max(counts.values()) < 1.2 * min(counts.values())


def test_attention_learns_with_distractors_what_a_convolution_does_not_in_the_same_time():
    attention = trained(MODELS["attention"], "distractors", 256, steps=150)
    convolution = trained(MODELS["convolution"], "distractors", 256, steps=150)
    assert accuracy(attention, "distractors", FARTHER, n=256) > 0.9
    assert accuracy(convolution, "distractors", FARTHER, n=256) < 0.4


def test_training_is_repeatable_and_depends_on_its_seed():
    first, again, other = (trained(MODELS["dense"], "plain", 64, steps=3, seed=s) for s in (1, 1, 2))
    assert torch.equal(first.embed.weight, again.embed.weight)
    assert not torch.equal(first.embed.weight, other.embed.weight)


def test_attention_tells_its_weights():
    sentences = drawn("distractors", n=5)
    model = MODELS["attention"]()
    output, weights = model.attend(sentences.words, sentences.verbs)
    torch.testing.assert_close(weights.sum(dim=1), torch.ones(5))
    assert (weights[sentences.words == PAD] == 0).all()
    torch.testing.assert_close(output, model.context(sentences.words, sentences.verbs))
