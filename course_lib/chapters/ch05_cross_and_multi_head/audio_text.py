"""Sound and text: frames of an utterance attend to its words, and words to frames.

The sound is made up: each word has one sound, a vector of energies in some frequency bands, which lasts for several
frames and is covered by noise. No speech is like that, but what matters here is: two sequences of different
kind, length and rate, which say the same.

The second half is a task, karaoke: a text is printed in colours, a voice sings it, and for each frame of the voice a
lamp must show the colour of the word that is being sung. The colours are in the text alone, the progress of the
voice in the sound alone; nothing tells which frame belongs to which word.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.chapters.fit import fit, seeded
from course_lib.model import MultiHeadAttention, PositionalEncoding

# ---- One utterance ----


class Utterance(NamedTuple):
    """What is heard, `frames` (L_frames, bands), and which word is being said in each frame, `spoken` (L_frames,)."""

    frames: NDArray[np.floating[Any]]
    spoken: NDArray[np.int64]


def word_sounds(words: Sequence[str], bands: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Give each word its sound; a word that occurs twice, in whatever case, sounds the same.

    Parameters
    ----------
    words : L strings
    bands : int
        In each frequency band a sound is loud, +1, or soft, −1.
    rng : Generator

    Returns
    -------
    array (L, bands)

    Examples
    --------
    >>> sounds = word_sounds(["The", "cat", "chased", "the", "dog"], 8, np.random.default_rng(0))
    >>> sounds.shape, bool((sounds[0] == sounds[3]).all()), bool((sounds[0] == sounds[1]).all())
    ((5, 8), True, False)
    """
    sounds: dict[str, NDArray[np.float64]] = {}
    for word in map(str.lower, words):
        if word not in sounds:
            sounds[word] = rng.choice([-1.0, 1.0], bands)
    return np.array([sounds[word.lower()] for word in words])


def speak(
    sounds: ArrayLike, durations: Sequence[int], *, noise: float = 0.0, rng: np.random.Generator | None = None
) -> Utterance:
    """Say one word after the other.

    Parameters
    ----------
    sounds : array (L, bands)
        The sound of each word.
    durations : L whole numbers
        How many frames each word lasts.
    noise : float
        Standard deviation of what is added to each band of each frame; it is drawn from `rng`.

    Raises
    ------
    ValueError
        If there is not one duration for each word, or noise is asked for without a generator.

    Examples
    --------
    >>> speak([[1.0], [-1.0]], [2, 1])
    Utterance(frames=array([[ 1.],
           [ 1.],
           [-1.]]), spoken=array([0, 0, 1]))
    """
    sounds = np.asarray(sounds, dtype=np.float64)
    if sounds.ndim != 2 or len(sounds) != len(durations):
        raise ValueError(
            f"durations: expected one for each of the sounds {sounds.shape}, not {len(durations)}"
        )
    spoken = np.repeat(np.arange(len(sounds)), durations)
    frames = sounds[spoken]
    if noise:
        if rng is None:
            raise ValueError(f"rng is None: noise {noise} needs a generator to be drawn from")
        frames = frames + noise * rng.standard_normal(frames.shape)
    return Utterance(frames, spoken)


def clock(n: int) -> NDArray[np.float64]:
    """Say how far each of n positions is on its way from the beginning to the end: a hand that turns half round.

    Two sequences of different length and rate can be compared by it, since it counts shares, not steps.

    Returns
    -------
    array (n, 2)
        (cos πp, sin πp) with p = (i + ½)/n. The dot product of two is cos π(p − p′): 1 at the same place, less
        the farther apart, −1 between beginning and end.

    Examples
    --------
    >>> clock(2).round(3)
    array([[ 0.707,  0.707],
           [-0.707,  0.707]])
    """
    p = np.pi * (np.arange(n) + 0.5) / n
    return np.stack([np.cos(p), np.sin(p)], axis=1)


# ---- Karaoke ----

LYRICS = (
    "moon", "night", "star", "rain", "river", "home", "heart", "road", "sun", "sea",
    "bird", "rose", "fire", "snow", "wind", "hill", "bell", "boat", "dream", "love",
)  # fmt: skip
N_WORDS, N_COLOURS, BANDS = len(LYRICS), 4, 12


class Songs(NamedTuple):
    """Some songs of n_words words each; `sung` is False after the end of a song shorter than the longest."""

    frames: Tensor  # (B, L_frames, bands)
    words: Tensor  # (B, n_words) int64, places in LYRICS
    colours: Tensor  # (B, n_words) int64
    spoken: Tensor  # (B, L_frames) int64: which word is being sung
    sung: Tensor  # (B, L_frames) bool

    @property
    def lamp(self) -> Tensor:
        """The colour that the lamp must show, (B, L_frames)."""
        return self.colours.gather(1, self.spoken)

    @property
    def ambiguous(self) -> Tensor:
        """Whether the word being sung occurs more than once in its song, (B, L_frames)."""
        n_same = (self.words[:, :, None] == self.words[:, None, :]).sum(-1)  # (B, n_words)
        return n_same.gather(1, self.spoken) > 1


def songs(generator: torch.Generator, n_songs: int = 32) -> Songs:
    """Draw songs of 4 to 8 words, the same number in all; in each at least one word is sung twice, not at once.

    A word lasts 2 to 6 frames, whichever word it is, so a frame's number does not tell the word's.

    Examples
    --------
    >>> batch = songs(torch.Generator().manual_seed(0), n_songs=3)
    >>> batch.words.shape[0], bool(batch.ambiguous.any(dim=1).all())
    (3, True)
    """
    n_words = int(torch.randint(4, 9, (), generator=generator))
    rows = torch.arange(n_songs)
    words = torch.randint(N_WORDS, (n_songs, n_words), generator=generator)
    first = torch.randint(0, n_words // 2, (n_songs,), generator=generator)
    again = torch.randint(n_words // 2 + 1, n_words, (n_songs,), generator=generator)
    words[rows, again] = words[rows, first]
    colours = torch.randint(N_COLOURS, words.shape, generator=generator)
    ends = torch.randint(2, 7, words.shape, generator=generator).cumsum(1)
    frame = torch.arange(int(ends[:, -1].max()))
    spoken = (frame[None, :, None] >= ends[:, None, :]).sum(-1)  # (B, L_frames): how many words have ended
    sung = spoken < n_words
    spoken = spoken.clamp(max=n_words - 1)
    sounds = _SOUNDS[words.gather(1, spoken)]  # (B, L_frames, bands)
    noise = torch.randn(sounds.shape, generator=generator)
    return Songs(sounds + 0.5 * noise, words, colours, spoken, sung)


_SOUNDS = torch.randint(2, (N_WORDS, BANDS), generator=torch.Generator().manual_seed(1)) * 2.0 - 1.0


class Listener(nn.Module):
    """Frames ask the words of the text for a colour, through one head of cross-attention.

    Parameters
    ----------
    positions : bool
        Whether frames and words are told their number, by the sinusoids of chapter 06, appended to what they are.
    """

    def __init__(self, positions: bool) -> None:
        super().__init__()
        d_word, d_position = 28, 16
        kind = "sinusoidal" if positions else "none"
        self.word = nn.Embedding(N_WORDS, d_word)
        self.position = PositionalEncoding(d_position, kind=kind, mode="append")  # type: ignore[arg-type]
        d_frame, d_text = BANDS + d_position, d_word + N_COLOURS + d_position
        self.attention = MultiHeadAttention(d_frame, 1, d_k=32, d_v=N_COLOURS, d_context=d_text)
        self.colour = nn.Linear(d_frame, N_COLOURS)

    def text(self, batch: Songs) -> Tensor:
        """The vectors of the words, (B, n_words, d_text): what it is, its colour, its position."""
        colours = F.one_hot(batch.colours, N_COLOURS).float()
        return self.position(torch.cat([self.word(batch.words), colours], dim=-1))

    def forward(self, batch: Songs) -> tuple[Tensor, Tensor]:
        """Return the scores of the colours, (B, L_frames, n_colours), and the weights, (B, 1, L_frames, n_words)."""
        output, weights = self.attention(self.position(batch.frames), self.text(batch))
        return self.colour(output), weights


def train_listener(positions: bool, seed: int, steps: Iterable[int]) -> Listener:
    """Train a listener on the colours of the lamp alone."""
    with seeded(seed):
        model = Listener(positions)

    def loss(generator: torch.Generator) -> Tensor:
        batch = songs(generator)
        return F.cross_entropy(model(batch)[0][batch.sung], batch.lamp[batch.sung])

    fit(model, loss, steps, seed=seed)
    return model


class Heard(NamedTuple):
    """Shares of the frames of new songs."""

    right_alone: float  # right colour, where the word sung occurs once in its song
    right_repeated: float  # right colour, where it occurs several times
    aligned: float  # largest weight on the word that is being sung


@torch.no_grad()
def listen(model: Listener, seed: int = 99, n_batches: int = 20) -> Heard:
    """Measure a listener on new songs."""
    generator = torch.Generator().manual_seed(seed)
    right, repeated, aligned = [], [], []
    for _ in range(n_batches):
        batch = songs(generator)
        scores, weights = model(batch)
        right.append((scores.argmax(-1) == batch.lamp)[batch.sung])
        repeated.append(batch.ambiguous[batch.sung])
        aligned.append((weights[:, 0].argmax(-1) == batch.spoken)[batch.sung])
    r, a, w = (torch.cat(parts) for parts in (right, repeated, aligned))
    return Heard(float(r[~a].float().mean()), float(r[a].float().mean()), float(w.float().mean()))
