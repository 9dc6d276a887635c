"""Figures that live in the page, each by itself in a file: by keyboard, on a phone, for a screen reader."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, expect

from tests.support.lab import chromium
from tests.support.page_figures import EXAMPLES

SAID: list[str] = []
SMALLEST_TEXT = 13  # pixels, as it is seen
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
SIZES_OF_TEXT = """
root => [...root.querySelectorAll("svg text")].filter(text => text.textContent.trim()).map(text => {
  const scale = text.ownerSVGElement.getScreenCTM().a;
  return [parseFloat(getComputedStyle(text).fontSize) * scale, text.textContent];
})
"""
OUTSIDE = """
root => [...root.querySelectorAll("svg text")].filter(text => {
  const [box, frame] = [text.getBoundingClientRect(), text.ownerSVGElement.getBoundingClientRect()];
  return box.left < frame.left - 2 || box.right > frame.right + 2 || box.bottom > frame.bottom + 2;
}).map(text => text.textContent)
"""

# Words have their widths once their typeface is there; a figure has its width one frame after it is in the page.
DRAWN = "document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))"


@pytest.fixture(scope="module")
def browser(browser_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(browser_path, tmp_path_factory.mktemp("home")) as browser:
        yield browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file with each figure."""
    folder = tmp_path_factory.mktemp("pages")
    for name, make in EXAMPLES.items():
        make().save(folder / f"{name}.html")
    return {name: folder / f"{name}.html" for name in EXAMPLES}


@pytest.fixture(autouse=True)
def said() -> Iterator[list[str]]:
    """What the console of an opened page says: nothing."""
    SAID.clear()
    yield SAID
    assert not SAID


def opened(browser: Browser, path: Path, **options: object) -> Page:
    """Open a file without a network; the test fails on whatever the console says."""
    context = browser.new_context(offline=True, **options)
    page = context.new_page()
    page.on("console", lambda message: SAID.append(message.text))
    page.on("pageerror", lambda error: SAID.append(str(error)))
    page.goto(path.as_uri())
    expect(page.locator("figure.cf svg")).to_be_visible()
    page.evaluate(DRAWN)
    return page


def description(page: Page) -> str:
    return page.locator("figure.cf .cf-unseen").first.text_content() or ""


LOOKS = [  # `make soak` takes the two pairs that `make test` has no time for
    (360, "dark"),
    (1280, "light"),
    pytest.param(360, "light", marks=pytest.mark.soak),
    pytest.param(1280, "dark", marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_axe_finds_nothing_and_all_text_can_be_read(browser, pages, name, width, scheme):
    page = opened(browser, pages[name], viewport={"width": width, "height": 800}, color_scheme=scheme)
    figure = page.locator("figure.cf")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = [found for found in figure.evaluate(SIZES_OF_TEXT) if found[0] < SMALLEST_TEXT - 0.01]
    assert not small
    assert not figure.evaluate(OUTSIDE)
    page.add_script_tag(content=AXE_SCRIPT)
    options = {"runOnly": AXE_TAGS, "rules": {"page-has-heading-one": {"enabled": False}, "region": {"enabled": False},
                                              "landmark-one-main": {"enabled": False}}}  # fmt: skip
    found = page.evaluate("options => axe.run(document, options)", options)
    assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found["violations"]]
    page.context.close()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_keyboard_reaches_everything_that_can_be_moved_and_moves_it(browser, pages, name):
    page = opened(browser, pages[name], viewport={"width": 1280, "height": 800})
    moving = page.locator(
        "figure.cf :is(.cf-handle, .cf-choice, button:not(:disabled), select, "
        "input:not([type=radio]), input[type=radio]:checked)"
    )
    n_moving = moving.count()  # what is reached may bring up more
    for _ in range(n_moving):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('figure.cf') !== null")
        page.evaluate("document.activeElement.setAttribute('data-reached', '')")
    assert page.locator("[data-reached]").count() == n_moving
    for handle in page.locator("figure.cf .cf-handle").all():
        before = handle.get_attribute("aria-valuetext")
        keys = ["ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight"]  # it may stand at an end
        assert any(handle.press(key) or handle.get_attribute("aria-valuetext") != before for key in keys)
    choice = page.locator("figure.cf .cf-choice[aria-pressed=false]").last
    if choice.count():
        before = description(page)
        choice.press("Enter")
        expect(page.locator("figure.cf .cf-unseen").first).not_to_have_text(before)
    page.context.close()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_words_follow_what_a_finger_drags(browser, pages, name):
    page = opened(
        browser, pages[name], viewport={"width": 360, "height": 800}, has_touch=True, is_mobile=True
    )
    before = description(page)
    handle = page.locator("figure.cf .cf-handle").first
    if handle.count():
        box = handle.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        drag = page.context.new_cdp_session(page)
        for kind, dx in [("touchStart", 0), ("touchMove", -10), ("touchMove", -40), ("touchMove", -60)]:
            points = [{"x": x + dx, "y": y + dx / 2}]
            drag.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        drag.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    else:
        page.locator("figure.cf .cf-choice[aria-pressed=false]").last.tap()
    page.wait_for_function(
        "before => document.querySelector('figure.cf .cf-unseen').textContent !== before", arg=before
    )
    live = page.locator("figure.cf [aria-live]")
    expect(live).to_have_text(re.compile(".+"))  # a screen reader hears it, too
    page.context.close()


TYPED_AT_ONCE = """
async given => {
  const element = document.body.appendChild(document.createElement("div"));
  let times = 0;
  const figure = courseFigures.mount(element, given, state => {
    figure.show(state);
    if (++times === 1) type("My brother is happy."); // while what was reported comes back
  });
  function type(text) {
    const field = element.querySelector("input");
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  type("My sister is happy."); // before the figure has come to rest
  await new Promise(done => setTimeout(done, 200));
  const first = element.querySelector("input").value;
  await new Promise(done => setTimeout(done, 1500));
  return [first, element.querySelector("input").value, times];
}
"""


def test_no_word_is_lost_that_is_typed_while_the_figure_is_busy(browser, pages):
    page = opened(browser, pages["translator"])
    given = EXAMPLES["translator"]().given
    assert page.evaluate(TYPED_AT_ONCE, given) == ["My sister is happy.", "My brother is happy.", 2]
    page.context.close()


@pytest.mark.parametrize("name", EXAMPLES)
def test_without_scripts_and_styles_it_still_says_what_it_shows(browser, name):
    figure = EXAMPLES[name]()
    html = figure._repr_mimebundle_()[0]["text/html"]
    bare = re.sub(r'<style>.*?</style>| style="[^"]*"', "", html, flags=re.DOTALL)
    page = browser.new_page(java_script_enabled=False)
    page.set_content(bare)
    picture = page.locator("img")
    expect(picture).to_have_attribute("alt", figure.alt)
    expect(picture).to_be_visible()
    expect(page.get_by_text(figure.title)).to_be_visible()
    if figure.given["caption"]:
        expect(page.get_by_text(figure.given["caption"])).to_be_visible()
    page.close()
