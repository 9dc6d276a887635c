"""The sentences say what they are said to say, each model sees what it may see, and what the chapter explains survives
an intervention."""

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.chapters import ch01_why_attention as ch01
from course_lib.chapters.ch01_why_attention import agreement, pair_recall
from course_lib.chapters.ch01_why_attention.agreement import (
    ANSWERS,
    AROUND,
    LONG,
    MAX_LENGTH,
    MODELS,
    NOUNS,
    PAD,
    SHORT,
    TASKS,
    VERBS,
    accuracy,
    draw_sentences,
    flipped,
    shuffled,
    train_to_convergence,
    trained,
)


def drawn(task, where=SHORT, n=300, seed=1):
    return draw_sentences(n, task, where, torch.Generator().manual_seed(seed))


def nouns_of(words):
    """(position, kind, whether plural) of each noun."""
    return [
        (i, k, word != noun)
        for i, word in enumerate(words)
        for k, kind in enumerate(NOUNS)
        for noun in kind
        if word in (noun, noun + "s")
    ]


@pytest.mark.parametrize("task", ["alone", "distractors"])
@pytest.mark.parametrize("where", [SHORT, LONG, [1]])
def test_the_one_noun_of_the_verbs_kind_is_its_subject(task, where):
    sentences = drawn(task, where)
    for i in range(len(sentences.words)):
        words, verb = sentences.spelled(i), int(sentences.verbs[i])
        answer, said = words[verb].split()
        kind = VERBS.index(said)
        ((position, _, plural),) = [noun for noun in nouns_of(words) if noun[1] == kind]
        assert verb - position == sentences.distances[i]
        assert answer == ANSWERS[plural] == ANSWERS[sentences.answers[i]]


@pytest.mark.parametrize("task", TASKS)
def test_each_noun_has_its_article_and_padding_ends_the_sentence(task):
    sentences = drawn(task, LONG)
    assert sentences.words.shape[1] == MAX_LENGTH
    for i in range(len(sentences.words)):
        words = sentences.spelled(i)
        assert all(words[position - 1] == "the" for position, _, _ in nouns_of(words))
        assert words.count("the") == len(nouns_of(words))
        assert (sentences.words[i, len(words) :] == PAD).all()
        assert 0 <= len(words) - 1 - sentences.verbs[i] <= AROUND
    assert set(sentences.distances.tolist()) == set(LONG)


def test_distractors_are_there_and_alone_there_are_none():
    assert all(len(nouns_of(drawn("alone").spelled(i))) == 1 for i in range(50))
    assert sum(len(nouns_of(drawn("distractors").spelled(i))) for i in range(50)) > 100


def test_in_the_nearest_task_the_last_noun_before_the_verb_counts_whatever_its_kind():
    sentences = drawn("nearest")
    for i in range(300):
        words, verb = sentences.spelled(i), int(sentences.verbs[i])
        position, _, plural = max(noun for noun in nouns_of(words) if noun[0] < verb)
        assert verb - position == sentences.distances[i]
        assert plural == sentences.answers[i]


@pytest.mark.parametrize(
    ("task", "where", "told"), [("easy", [1], "'easy'"), ("alone", [], "at least"), ("alone", [0], r"\[0\]")]
)
def test_what_cannot_be_drawn_is_named(task, where, told):
    with pytest.raises(ValueError, match=told):
        drawn(task, where)


# ---- Models ----

WORDS, VERB_AT = torch.arange(1, 19), 12  # 18 different words


def influence(name):
    """Which word positions the answer depends on, by the derivative with respect to the embeddings."""
    torch.manual_seed(0)
    model, kept = MODELS[name](), []
    model.embed.register_forward_hook(
        lambda *call: kept.append(call[-1].requires_grad_()) or call[-1].retain_grad()
    )
    model(WORDS[None], torch.tensor([VERB_AT])).square().sum().backward()
    return (kept[0].grad[0, :18].abs().sum(dim=1) > 0).nonzero().flatten().tolist()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bag of words", range(18)),
        ("convolution", range(4, 18)),  # a reach of 8
        ("dense", range(18)),
        ("GRU", range(13)),
        ("attention", range(18)),
        ("attention with positions", range(18)),
    ],
)
def test_each_model_sees_what_it_is_said_to_see(name, expected):
    assert influence(name) == list(expected)


@pytest.mark.parametrize("name", MODELS)
def test_padding_does_not_change_an_answer(name):
    torch.manual_seed(0)
    model, verb = MODELS[name](), torch.tensor([VERB_AT])
    padded = torch.cat([WORDS, torch.zeros(1, dtype=torch.int64)])
    torch.testing.assert_close(model(padded[None], verb), model(WORDS[None], verb))


def test_the_gru_written_out_is_pytorchs():
    torch.manual_seed(0)
    model, sentences = MODELS["GRU"](), drawn("alone", n=5)
    states, _ = model.recurrent(model.embed(sentences.words))
    expected = states[torch.arange(5), sentences.verbs]
    torch.testing.assert_close(model.context(sentences.words, sentences.verbs), expected)


def test_parameter_counts_are_matched():
    counts = [sum(p.numel() for p in build().parameters()) for build in MODELS.values()]
    assert max(counts) < 1.1 * min(counts)


def test_copies_trained_together_learn_as_one_alone():
    (alone,) = train_to_convergence(
        MODELS["dense"], "alone", [(64, 0)], learning_rate=3e-3, every=5, at_most=10
    )
    first, _ = train_to_convergence(
        MODELS["dense"], "alone", [(64, 0), (64, 1)], learning_rate=3e-3, every=5, at_most=10
    )
    assert first.losses[0] == alone.losses[0]
    torch.manual_seed(0)
    model = MODELS["dense"]()
    held_out = draw_sentences(500, "alone", SHORT, torch.Generator().manual_seed(10_000))
    loss = nn.functional.cross_entropy(model(held_out.words, held_out.verbs), held_out.answers)
    assert first.losses[0] == pytest.approx(loss.item(), abs=1e-4)
    assert first.steps == [0, 5, 10]
    assert first.stopped in first.steps


def test_each_copy_may_have_distances_of_its_own_and_is_tested_at_each():
    shared = {"learning_rate": 3e-3, "every": 1, "at_most": 1, "by_distance": True}
    apart = train_to_convergence(
        MODELS["convolution"], "distractors", [(64, 0), (64, 0)], distances=[SHORT, range(1, 13)], **shared
    )
    (alone,) = train_to_convergence(MODELS["convolution"], "distractors", [(64, 0)], **shared)
    assert apart[0].losses[0] == pytest.approx(alone.losses[0], abs=1e-4)
    assert apart[0].losses[0] != apart[1].losses[0]
    assert [len(each.by_distance) for each in (*apart, alone)] == [12, 12, 12]


# ---- What the chapter says of the trained reader ----


@pytest.fixture(scope="module")
def reader():
    return trained()


@pytest.fixture(scope="module")
def far():
    return drawn("distractors", LONG, n=1000, seed=7)


def test_the_answer_follows_the_subject_and_not_the_others(reader, far):
    assert accuracy(reader, far) > 0.95
    assert accuracy(reader, flipped(far, "subject")) < 0.05
    assert accuracy(reader, flipped(far, "others")) > 0.9


def test_order_does_not_matter_to_attention_without_positions(reader, far):
    mixed = shuffled(far, torch.Generator().manual_seed(0))
    torch.testing.assert_close(
        reader(mixed.words, mixed.verbs), reader(far.words, far.verbs), atol=1e-4, rtol=1e-4
    )


def test_order_does_not_matter_to_a_bag(far):
    torch.manual_seed(0)
    bag, mixed = MODELS["bag of words"](), shuffled(far, torch.Generator().manual_seed(0))
    # the verb keeps its place, all other words change theirs
    torch.testing.assert_close(bag(mixed.words, mixed.verbs), bag(far.words, far.verbs))


def test_moved_sentences_have_all_their_words_and_new_ones_in_front():
    sentences = drawn("distractors", n=50)
    changed = agreement.moved(sentences, 3)
    assert len(changed.words) == 50
    for i in range(50):
        assert changed.spelled(i)[3:] == sentences.spelled(i)
        assert nouns_of(changed.spelled(i)[:3]) == []
    assert len(agreement.moved(sentences, MAX_LENGTH).words) == 0


@pytest.mark.share(2)
def test_a_bag_that_looks_at_nothing_passes_the_same_tests(reader):
    bag = trained(agreement.BagReader, steps=1500)
    for model in (reader, bag):
        found = agreement.interventions(model)
        assert min(found["flip_subject"], found["flip_others"]) > 0.99
    assert agreement.interventions(bag)["shuffle"] == 1


def test_a_sentence_without_its_subject_lacks_nothing_else():
    sentences = drawn("distractors", n=50)
    changed = agreement.without_subject(sentences)
    for i in range(50):
        before, after = sentences.spelled(i), changed.spelled(i)
        subject = int(sentences.verbs[i] - sentences.distances[i])
        different = [at for at, words in enumerate(zip(before, after, strict=True)) if len({*words}) > 1]
        assert different == [subject - 1, subject]
        assert after[subject] == "today"


def test_only_a_lead_tells_a_verb_that_does_not_look(reader):
    found = agreement.looks(reader)
    assert list(found) == [f"{answer} {verb}" for verb in VERBS for answer in ANSWERS]
    over, asleep = found["is over"], found["are asleep"]
    assert over.subject < 0.05 < 0.9 < min(asleep.subject, found["are over"].subject)
    # without a subject "is" and "are" are one sentence: one of them is always right, and that proves nothing
    for verb in VERBS:
        one, other = found[f"is {verb}"], found[f"are {verb}"]
        assert one.without == pytest.approx(-other.without, abs=0.3)
        assert one.right_without + other.right_without == pytest.approx(1, abs=0.02)
    assert over.right_without == asleep.right_without == found["are broken"].right_without == 1
    assert over.without == pytest.approx(over.lead, abs=0.3)
    assert asleep.without < 0.6 * asleep.lead
    broken = found["are broken"]
    assert 0.5 < broken.lead - broken.without < 3
    for look in found.values():
        assert look.subject + look.itself + look.nouns < 1.001
        assert min(look.subject, look.itself, look.nouns) >= 0


def test_dense_layers_are_right_where_subjects_and_verbs_stood_in_training():
    both, only_verb, none = np.median(agreement.stored_places("distractors"), axis=0)
    assert none < 0.6 < only_verb < 0.8 < 0.9 < both
    assert np.median(agreement.stored_places("alone"), axis=0)[2] < 0.6


def test_a_convolution_fills_a_gap_between_trained_distances():
    for out, runs in agreement.left_out_records().items():
        assert np.median(runs, axis=0)[out - 1] > 0.95
    assert np.median(agreement.deep_records()["near"], axis=0)[1] < 0.7


def test_attention_finds_subjects_where_a_bag_loses_them():
    found = {name: np.median(runs, axis=0) for name, runs in agreement.far_records().items()}
    assert found["attention"][-1] > 0.85 > 0.6 > found["bag of words"][-1]
    assert found["bag of words"][0] == found["attention"][0] == 1
    assert found["weight"][0] > found["weight"][-1]


def test_a_bag_of_nouns_does_as_well_as_a_majority_in_the_nearest_task():
    found = agreement.records("nearest")
    bags = [np.median(ch01.at_stop(found[name])[2048][:, 0]) for name in ("bag of words", "attention")]
    np.testing.assert_allclose(bags, agreement.majority_of_nouns(), atol=0.02)


def test_flipping_changes_the_number_of_the_right_nouns():
    sentences = drawn("distractors", n=50)
    for which in ("subject", "others"):
        changed = flipped(sentences, which)
        for i in range(50):
            verb, back = int(sentences.verbs[i]), int(sentences.distances[i])
            for (position, _, before), (_, _, after) in zip(
                nouns_of(sentences.spelled(i)), nouns_of(changed.spelled(i)), strict=True
            ):
                assert (before != after) == ((position == verb - back) == (which == "subject"))


def test_a_sentence_is_read_by_its_words(reader):
    found = ch01.attended(reader, "the cats near the lamp asleep")
    assert list(found.words) == ["the", "cats", "near", "the", "lamp", "are asleep"]
    assert found.weights[5].argmax() == 1
    for text in ("the zebra asleep", "the cat", "asleep the cat over"):
        with pytest.raises(ValueError, match="expected one of"):
            ch01.attended(reader, text)


# ---- Stored results ----


def test_all_is_stored_and_trained_with_the_same_settings():
    for task in TASKS:
        found = agreement.records(task)
        names = [name for name in MODELS if task != "alone" or name != "attention with positions"]
        assert list(found) == names
        for trainings in found.values():
            members = [(each.n_sentences, each.seed) for each in trainings]
            assert members == [(n, seed) for n in agreement.SIZES[task] for seed in agreement.SEEDS]


def test_the_experiment_came_out_as_the_chapter_says():
    hard = {name: ch01.at_stop(found) for name, found in agreement.records("distractors").items()}
    near, far = ({name: np.median(runs[8192][:, k]) for name, runs in hard.items()} for k in (0, 1))
    assert min(near["attention"], near["GRU"], near["convolution"]) > 0.97
    assert min(far["attention"], far["GRU"]) > 0.95
    assert far["convolution"] < 0.65
    assert abs(far["bag of words"] - far["attention"]) < 0.01
    assert far["dense"] < 0.85


def test_the_memories_fill_up():
    recalled = pair_recall.stored()
    at_16 = {name: runs[:, -1] for name, runs in recalled.items()}
    assert at_16["GRU, state of 4"].max() < 0.8 < at_16["GRU, state of 64"].min()
    for memory in ("attention, width 2", "bag, width 64", "GRU, state of 64"):  # 64 numbers each
        assert pair_recall.kept(memory, 16) == 64
        assert at_16[memory].min() > 0.99
    assert at_16["bag, width 4"].max() < 0.5
    assert pair_recall.stored_longer()[:, -1].max() < 0.5


def test_the_experiment_is_drawn_with_its_numbers_in_words():
    alt = ch01.experiment(agreement.records("distractors"), title="Few").alt
    assert alt.startswith("Few. Right answers of 6 networks")
    assert "attention, 7–12 words back: 0.81 from 128, 0.998 from 512" in alt


# ---- What helps a bag, and what a convolution does within its reach ----


def test_without_distractors_only_the_other_nouns_and_their_articles_go():
    sentences = drawn("distractors", LONG, n=50)
    changed = agreement.without_distractors(sentences, torch.Generator().manual_seed(0))
    for i in range(50):
        before, after = sentences.spelled(i), changed.spelled(i)
        subject = int(sentences.verbs[i] - sentences.distances[i])
        assert [position for position, _, _ in nouns_of(after)] == [subject]
        gone = {
            at
            for position, _, _ in nouns_of(before)
            if position != subject
            for at in (position - 1, position)
        }
        for at, (one, other) in enumerate(zip(before, after, strict=True)):
            assert (other in agreement.FILLERS) if at in gone else one == other


def test_as_it_is_a_bag_is_as_right_as_ever():
    torch.manual_seed(0)
    bag, test = MODELS["bag of words"](), drawn("distractors", LONG)
    right = agreement.repaired(bag, test, generator=torch.Generator().manual_seed(0))
    assert list(right) == list(agreement.REPAIRS)
    assert right["as it is"] == accuracy(bag, test)


def test_magnified_the_average_is_that_of_a_short_sentence():
    bag, test = trained(agreement.BagReader, steps=400), drawn("distractors", n=1000)
    ten = test.rows((test.words != PAD).sum(dim=1) == agreement.USUAL)
    assert len(ten.words) > 5
    right = agreement.repaired(bag, ten, generator=torch.Generator().manual_seed(0))
    assert right["magnified"] == right["as it is"] > 0.9


def test_a_bag_needs_a_larger_share_and_no_distractors():
    right = {name: np.median(runs) for name, runs in agreement.stored_repairs().items()}
    assert max(right[name] for name in agreement.REPAIRS[:3]) < 0.55 < 0.95 < right["both"]


def test_a_bag_is_right_where_the_subject_moves_it_by_enough():
    """The parts of its average, against the average of sentences that are written out."""
    torch.manual_seed(0)
    bag = MODELS["bag of words"]()
    parts = agreement.parts_of_the_average(bag, 12, n=200)
    test = draw_sentences(200, "distractors", [12], torch.Generator().manual_seed(12))
    vectors = bag.embed.weight.detach().numpy()
    ids = [[i for i in row if i != PAD] for row in test.words.tolist()]
    averages = np.array([vectors[row].mean(axis=0) for row in ids])
    assert parts.words == pytest.approx(np.mean([len(row) for row in ids]))
    moves = [
        np.linalg.norm(vectors[agreement.NOUN + ((row[at] - agreement.NOUN) ^ 1)] - vectors[row[at]])
        / 2
        / len(row)
        for row, at in zip(ids, (test.verbs - 12).tolist(), strict=True)
    ]
    assert parts.subject == pytest.approx(np.mean(moves), rel=1e-4)
    verbs = test.words[torch.arange(200), test.verbs].numpy()
    middles = np.array([averages[verbs == verb].mean(axis=0) for verb in verbs])
    assert parts.chance == pytest.approx(np.linalg.norm(averages - middles, axis=1).mean(), rel=1e-4)
    ordinary = vectors[agreement.FILLER : agreement.NOUN].mean(axis=0)
    assert parts.always == pytest.approx(np.linalg.norm(middles - ordinary, axis=1).mean(), rel=1e-4)


def test_a_subject_counts_by_one_over_n_and_chance_by_one_over_the_root_of_n():
    parts = {name: np.median(runs, axis=0) for name, runs in agreement.stored_parts().items()}
    growth = np.log(parts["words"][-1] / parts["words"][0])
    for name, power in (("subject", -1), ("chance", -0.5), ("always", 0)):
        found = np.log(parts[name][-1] / parts[name][0]) / growth
        assert found == pytest.approx(power, abs=0.03)
    assert parts["centred"][0] > 0.98 > 0.62 > parts["centred"][-1]
    assert (np.diff(parts["centred"]) < 0).all()


def test_1000_words_back_no_answer_of_a_bag_follows_the_subject():
    for runs in agreement.stored_follow().values():
        assert runs.max() < 0.01


def test_answers_follow_the_subject_of_a_reader_that_counts_plurals_and_not_of_one_that_reads_nothing():
    def counts(words, verbs):
        is_noun = (words >= agreement.NOUN) & (words < agreement.VERB)
        return nn.functional.one_hot(((words - agreement.NOUN) * is_noun % 2).sum(dim=1) % 2, 2)

    sentences = drawn("distractors", n=50)
    assert agreement.follows(counts, sentences) == 1
    assert agreement.follows(lambda words, verbs: torch.eye(2)[torch.zeros_like(verbs)], sentences) == 0


def test_a_convolution_fails_at_new_distances_within_its_reach_too():
    right = np.median(agreement.stored_by_distance(), axis=0)
    assert right[:6].min() > 0.98
    assert 0.7 < right[6] < 0.9
    assert right[7] < 0.75
    assert right[8:].max() < 0.6


def test_far_sentences_of_the_nearest_task_can_be_voted_on():
    vote = agreement.majority_of_nouns(distances=LONG)
    found = agreement.records("nearest")
    for name in ("bag of words", "attention"):
        assert np.median(ch01.at_stop(found[name])[2048][:, 1]) == pytest.approx(vote, abs=0.02)


# ---- What is taken away from a reader, and what then becomes of its answers ----


def test_with_at_most_all_of_the_weight_a_reader_is_as_right_as_ever_and_with_none_as_without_its_subject(
    reader, far
):
    assert agreement.right_with_at_most(reader, far, 1.0) == accuracy(reader, far)
    values = reader.value(reader.embed(far.words))
    rows, subjects = torch.arange(len(far.words)), far.verbs - far.distances
    scores = reader.attend(far.words, far.verbs)[1].log()
    scores[rows, subjects] = -torch.inf
    answers = reader.read((scores.softmax(dim=1)[:, None] @ values)[:, 0]).argmax(dim=1)
    expected = (answers == far.answers).double().mean()
    assert agreement.right_with_at_most(reader, far, 0.0) == pytest.approx(float(expected), abs=2e-3)


def test_it_is_the_weight_of_its_subject_that_saves_attention_among_1000_words(reader):
    test = drawn("distractors", [1000], n=300, seed=1000)
    of_a_bag = 1 / int((test.words != PAD).sum(dim=1).float().mean())
    assert accuracy(reader, test) > 0.85
    assert agreement.right_with_at_most(reader, test, of_a_bag) < 0.6


def cut(sentences, lengths, seed=0):
    """Take random words away, a noun with its article, until each sentence is no longer than is asked for."""
    generator = torch.Generator().manual_seed(seed)
    words, verbs = torch.zeros_like(sentences.words), sentences.verbs.clone()
    for i, most in enumerate(lengths.tolist()):
        verb, back = int(sentences.verbs[i]), int(sentences.distances[i])
        spelled = sentences.spelled(i)
        nouns = {at for at, _, _ in nouns_of(spelled)}
        units = [[j - 1, j] if j in nouns else [j] for j in range(len(spelled)) if j + 1 not in nouns]
        units = [unit for unit in units if verb not in unit and verb - back not in unit]
        kept = set(range(len(spelled)))
        for k in torch.randperm(len(units), generator=generator).tolist():
            if len(kept) > most:
                kept -= set(units[k])
        at = sorted(kept)
        words[i, : len(at)] = sentences.words[i, at]
        verbs[i] = at.index(verb)
    return sentences._replace(words=words, verbs=verbs)


@pytest.mark.share(2)
def test_from_few_sentences_far_ones_are_harder_by_their_length_and_distractors_alone():
    """Cut to the length of near ones, with as many distractors, they are right as often."""
    near, far = (drawn("distractors", where, n=1500, seed=71 + k) for k, where in enumerate((SHORT, LONG)))
    tests = near, far, cut(far, (near.words != PAD).sum(dim=1))
    for name in ("attention", "bag of words"):
        right = []
        for seed in range(3):
            few = draw_sentences(128, "distractors", SHORT, torch.Generator().manual_seed(seed))
            torch.manual_seed(seed)
            model, generator = MODELS[name](), torch.Generator().manual_seed(seed)
            optimiser = torch.optim.Adam(model.parameters(), lr=agreement.LEARNING_RATE)
            for _ in range(400):
                batch = few.rows(torch.randint(128, (32,), generator=generator))
                loss = nn.functional.cross_entropy(model(batch.words, batch.verbs), batch.answers)
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
            right.append([accuracy(model, test) for test in tests])
        right_near, right_far, right_cut = np.mean(right, axis=0)
        assert right_far + 0.01 < right_near
        assert right_cut == pytest.approx(right_near, abs=0.025)
