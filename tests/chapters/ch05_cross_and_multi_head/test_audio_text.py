"""Sound that asks text: what is heard, what must be shown, and what can be learned without positions."""

import numpy as np
import pytest
import torch

from course_lib import functional
from course_lib.chapters.ch05_cross_and_multi_head import audio_text
from course_lib.chapters.ch05_cross_and_multi_head.audio_text import Listener, Songs, listen, songs

WORDS = ["He", "is", "singing", "because", "he", "is", "happy"]


def some_songs(seed: int = 0, n_songs: int = 40) -> Songs:
    return songs(torch.Generator().manual_seed(seed), n_songs)


def test_a_word_sounds_the_same_whenever_it_is_said_and_other_words_differ():
    sounds = audio_text.word_sounds(WORDS, 12, np.random.default_rng(0))
    assert sounds.shape == (7, 12)
    assert set(np.unique(sounds)) == {-1.0, 1.0}
    same = (sounds[:, None] == sounds[None]).all(-1)
    expected = [[a.lower() == b.lower() for b in WORDS] for a in WORDS]
    assert same.tolist() == expected


def test_an_utterance_says_each_word_for_as_long_as_it_should():
    sounds = np.arange(6.0).reshape(3, 2)
    frames, spoken = audio_text.speak(sounds, [2, 0, 3])
    assert spoken.tolist() == [0, 0, 2, 2, 2]
    assert frames.tolist() == [[0, 1], [0, 1], [4, 5], [4, 5], [4, 5]]


def test_noise_has_the_deviation_asked_for_and_comes_from_the_generator():
    sounds = np.zeros((1, 50))
    noisy = audio_text.speak(sounds, [400], noise=0.3, rng=np.random.default_rng(1)).frames
    assert noisy.std() == pytest.approx(0.3, rel=0.03)
    again = audio_text.speak(sounds, [400], noise=0.3, rng=np.random.default_rng(1)).frames
    assert np.array_equal(noisy, again)


def test_refuses_durations_that_do_not_fit_and_noise_without_a_generator():
    with pytest.raises(ValueError, match=r"durations.*\(2, 3\), not 1"):
        audio_text.speak(np.zeros((2, 3)), [1])
    with pytest.raises(ValueError, match="rng is None"):
        audio_text.speak(np.zeros((1, 3)), [1], noise=0.1)


def test_the_clock_compares_shares_of_the_way():
    short, long = audio_text.clock(7), audio_text.clock(28)
    p, q = (np.arange(7) + 0.5) / 7, (np.arange(28) + 0.5) / 28
    np.testing.assert_allclose(short @ long.T, np.cos(np.pi * (p[:, None] - q[None])), atol=1e-12)


class TestSongs:
    def test_each_word_lasts_two_to_six_frames_and_words_come_in_order(self):
        batch = some_songs()
        n_words = batch.words.shape[1]
        for spoken, sung in zip(batch.spoken, batch.sung, strict=True):
            said = spoken[sung].tolist()
            assert said == sorted(said)
            assert all(2 <= said.count(j) <= 6 for j in range(n_words))
            assert sung.tolist() == sorted(sung.tolist(), reverse=True)  # the silence is at the end

    def test_the_lamp_and_what_is_ambiguous_by_loops(self):
        batch = some_songs(1, 5)
        for b in range(5):
            words, colours = batch.words[b].tolist(), batch.colours[b].tolist()
            assert batch.lamp[b].tolist() == [colours[j] for j in batch.spoken[b]]
            assert batch.ambiguous[b].tolist() == [words.count(words[j]) > 1 for j in batch.spoken[b]]

    def test_each_song_repeats_a_word(self):
        for seed in range(5):
            assert all(len(set(words.tolist())) < len(words) for words in some_songs(seed).words)

    def test_frames_of_one_word_sound_alike_in_all_songs(self):
        batch = some_songs(2, 200)
        word = batch.words.gather(1, batch.spoken)
        means = torch.stack([batch.frames[(word == w) & batch.sung].mean(0) for w in range(20)])
        np.testing.assert_allclose(means.abs(), 1, atol=0.25)  # ±1 in each band, under averaged noise
        residual = batch.frames - means[word]
        assert float(residual[batch.sung].std()) == pytest.approx(0.5, rel=0.05)


class TestListener:
    def test_without_positions_the_order_of_the_text_is_not_heard_and_with_them_it_is(self):
        batch = some_songs(3, 6)
        order = torch.randperm(batch.words.shape[1], generator=torch.Generator().manual_seed(4))
        other = batch._replace(words=batch.words[:, order], colours=batch.colours[:, order])
        for positions in (False, True):
            with audio_text.seeded(0):
                model = Listener(positions).double()
            double = [b._replace(frames=b.frames.double()) for b in (batch, other)]
            model.text = lambda b, model=model: Listener.text(model, b).double()
            (scores, weights), (scores_other, weights_other) = map(model, double)
            assert torch.allclose(scores, scores_other, rtol=1e-10) != positions
            assert torch.allclose(weights[..., order], weights_other, rtol=1e-10) != positions

    def test_without_positions_equal_words_get_equal_weights(self):
        batch = some_songs(5, 6)
        # colours are part of the keys too, so they are made equal here
        same = batch._replace(colours=torch.zeros_like(batch.colours))
        with audio_text.seeded(0):
            _, weights = Listener(False)(same)
        for b in range(6):
            words = batch.words[b].tolist()
            for i, first in enumerate(words):
                for j, second in enumerate(words):
                    if first == second:
                        torch.testing.assert_close(weights[b, 0, :, i], weights[b, 0, :, j])

    def test_training_aligns_and_only_positions_tell_repeated_words_apart(self):
        without, with_positions = (
            listen(audio_text.train_listener(positions, 0, range(250))) for positions in (False, True)
        )
        assert min(without.right_alone, with_positions.right_alone) > 0.97
        assert without.right_repeated < 0.64 < 0.8 < with_positions.right_repeated
        assert with_positions.aligned > 0.9 > without.aligned

    def test_what_is_heard_is_counted_over_the_frames_that_are_sung(self):
        class Half(torch.nn.Module):  # right where the word is unambiguous, wrong elsewhere; aligned nowhere
            def forward(self, batch):
                shown = torch.where(batch.ambiguous | ~batch.sung, (batch.lamp + 1) % 4, batch.lamp)
                weights = torch.nn.functional.one_hot((batch.spoken + 1) % batch.words.shape[1])
                return torch.nn.functional.one_hot(shown, 4), weights[:, None].float()

        assert listen(Half()) == (1.0, 0.0, 0.0)


class TestTheVoiceOfTheChapter:
    """What the chapter says of noise and of positions, each with what it says taken away."""

    LASTS = (3, 2, 6, 5, 3, 3, 6)

    def said(self, durations=LASTS, noise=0.3):
        rng = np.random.default_rng(3)
        sounds = audio_text.word_sounds(WORDS, 12, rng)
        return sounds, *audio_text.speak(sounds, durations, noise=noise, rng=rng)

    def numbers_read(self, durations=LASTS, noise=0.3):
        """Which number the frames of each word read on average, (7,)."""
        sounds, frames, spoken = self.said(durations, noise)
        read = functional.attention(2 * frames, sounds, np.arange(7.0)[:, None])[0][:, 0]
        return np.array([read[spoken == j].mean() for j in range(7)])

    def times_found(self, word_clock=0.0, frame_clock=0.0, noise=0.3):
        """When each word is said, by attention to the frames, (7,)."""
        sounds, frames, _ = self.said(noise=noise)
        Q = np.hstack([2 * sounds, word_clock * audio_text.clock(7)])
        K = np.hstack([frames, frame_clock * audio_text.clock(28)])
        return functional.attention(Q, K, 0.1 * (np.arange(28) + 0.5)[:, None])[0][:, 0]

    def test_without_noise_the_pace_makes_no_difference_at_all(self):
        other = self.numbers_read((1, 8, 2, 14, 1, 1, 5), noise=0)
        np.testing.assert_allclose(self.numbers_read(noise=0), other, rtol=1e-12)
        assert abs(self.numbers_read() - other).max() > 0.005

    def test_without_noise_equal_words_are_found_half_way_between_them(self):
        clean, noisy = self.times_found(noise=0), self.times_found()
        assert clean[4] == pytest.approx((0.15 + 1.75) / 2, abs=0.02)
        assert noisy[4] < clean[4] - 0.1

    def test_a_position_on_one_side_tells_no_equal_words_apart(self):
        for clocks in ((12.0, 0.0), (0.0, 1.0)):
            found = self.times_found(*clocks)
            assert found[0] == pytest.approx(found[4], abs=1e-9)
        both = self.times_found(12.0, 1.0)
        assert both[4] - both[0] > 1.4
