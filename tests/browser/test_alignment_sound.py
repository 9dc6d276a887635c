"""The sound of the alignment: it is where the words are, as loud in each band as drawn, and stops when told to."""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.support.lab import chromium
from tests.support.page_figures import alignment

pytestmark = pytest.mark.share(3)

RATE = 44100
RENDERED = """
async ({ frames, spoken, seconds }) => {
  const context = new OfflineAudioContext(1, 44100 * 3.2, 44100);
  const { starts, ends } = courseFigures.sound.say(context, frames, spoken, seconds);
  const buffer = await context.startRendering();
  return [starts, ends, courseFigures.sound.bands(frames[0].length), Array.from(buffer.getChannelData(0))];
}
"""


@pytest.fixture(scope="module")
def page(browser_path: str, tmp_path_factory: pytest.TempPathFactory):
    folder: Path = tmp_path_factory.mktemp("sound")
    alignment().save(folder / "alignment.html")
    with chromium(browser_path, folder / "home") as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto((folder / "alignment.html").as_uri())
        yield page


def test_its_energy_is_where_the_words_are_and_in_their_bands(page: Page) -> None:
    props = alignment().given["props"]
    starts, ends, middles, samples = page.evaluate(RENDERED, props)
    sound, spoken, frame = np.array(samples), np.array(props["spoken"]), round(props["seconds"] * RATE)
    first = round(starts * RATE)
    assert np.abs(sound[:first]).max() == 0
    assert np.abs(sound[round((ends + 0.05) * RATE) :]).max() < 1e-4
    assert 0.05 < np.abs(sound).max() < 0.5  # quiet

    heard = sound[first:][: len(spoken) * frame].reshape(len(spoken), frame)
    loudness = np.sqrt((heard**2).mean(axis=1))
    assert loudness.min() > 0.3 * np.median(loudness)
    power = np.abs(np.fft.rfft(heard * np.hanning(frame))) ** 2
    frequency = np.fft.rfftfreq(frame, 1 / RATE)
    half = np.sqrt(middles[1] / middles[0])
    bands = [power[:, (frequency > m / half) & (frequency < m * half)].sum(axis=1) for m in middles]
    level = 10 * np.log10(np.stack(bands, axis=1))  # (frames, bands), in decibels
    level -= level.mean(axis=0)
    for word, sounds in enumerate(np.array(props["sounds"])):
        own = level[spoken == word].mean(axis=0)
        assert own[sounds > 0].mean() - own[sounds < 0].mean() > 5


def test_it_plays_when_told_to_moves_along_and_stops(page: Page) -> None:
    frame = page.get_by_role("slider", name="Frame of the sound")
    before = frame.get_attribute("aria-valuetext") or ""
    page.get_by_role("button", name="Play").click()
    expect(frame).not_to_have_attribute("aria-valuetext", before)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    stopped = frame.get_attribute("aria-valuetext") or ""
    page.wait_for_timeout(300)
    expect(frame).to_have_attribute("aria-valuetext", stopped)


def test_where_nothing_can_sound_the_button_is_off(page: Page) -> None:
    page.add_init_script("delete window.AudioContext")
    page.reload()
    expect(page.get_by_role("button", name="Play")).to_be_disabled()
