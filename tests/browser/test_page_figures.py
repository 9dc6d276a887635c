"""Figures that live in the page, each by itself in a file: by keyboard, on a phone, for a screen reader."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, expect

from course_lib.figures import Prediction
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


def each_figure(test: Callable[..., None]) -> Callable[..., None]:
    """Repeat a test with every figure, of which `make test` takes a fifth."""
    return pytest.mark.share(5)(pytest.mark.parametrize("name", EXAMPLES)(test))


# Words have their widths once their typeface is there; a figure has its width one frame after it is in the page.
DRAWN = "document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))"


@pytest.fixture(scope="module")
def browser(browser_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(browser_path, tmp_path_factory.mktemp("home")) as browser:
        yield browser


class Pages(dict[str, Path]):
    """A file with each figure, made when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def __missing__(self, name: str) -> Path:
        self[name] = self.folder / f"{name}.html"
        EXAMPLES[name]().save(self[name])
        return self[name]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    return Pages(tmp_path_factory.mktemp("pages"))


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
    expect(page.locator("figure.cf svg").first).to_be_visible()
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


@each_figure
@pytest.mark.parametrize(("width", "scheme"), LOOKS)
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


@each_figure
def test_the_keyboard_reaches_everything_that_can_be_moved_and_moves_it(browser, pages, name):
    page = opened(browser, pages[name], viewport={"width": 1280, "height": 800})
    for folded in page.locator("figure.cf summary").all():
        folded.press("Enter")
    page.locator("body").evaluate(
        "body => { document.activeElement.blur(); body.tabIndex = -1; body.focus(); }"
    )
    moving = page.locator(
        "figure.cf :is(.cf-handle, .cf-choice, button:not(:disabled), select, summary, "
        "input:not([type=radio]), input[type=radio]:checked)"
    )
    assert moving.evaluate_all("parts => parts.map(part => part.setAttribute('data-due', '')).length") > 0
    for _ in range(200):  # what is reached may bring up more
        page.keyboard.press("Tab")
        if not page.evaluate("document.activeElement.closest('figure.cf') !== null"):
            break
        page.evaluate("document.activeElement.removeAttribute('data-due')")
    assert page.locator("[data-due]").count() == 0
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


@each_figure
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


@each_figure
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


# ---- The picture comes first, and nothing in it covers anything else ----

WIDTHS = [300, 360, 760]  # of the figure, in pixels
STATES: dict[str, list[dict[str, Any]]] = {  # beside its first one, in which each figure is tried too
    "alignment": [
        {"clock": "with"},
        {"at": 0},
        {"at": 27},
        {"asks": "words", "side": "words", "at": 4},
        {"asks": "words", "side": "words", "at": 2, "clock": "with"},
    ],
    "attention-steps": [{"query": 4}, {"query": 0, "stage": "scores"}, {"query": 4, "edited": "values"}],
    "choice": [{"guess": "Paris"}, {"guess": "Paris", "shown": True}, {"guess": "Rome", "shown": True}],
    "clock": [
        {"start": start, "key": key, "way": way}
        for way in ("rotated", "added")
        for start, key in [(0, 1), (0, 6), (1, 5), (11, 8), (50, 0)]
    ],
    "learning": [{"look": 0}, {"look": 4, "sentence": 0, "word": 1}, {"sentence": 2}],
    "clinic": [{"patient": 0}, {"patient": 3, "answer": "no causal mask"}],
    "hull": [{"all": True}, {"all": True, "network": True}, {"network": True}, {"phrase": 2}],
    "ledger": [{"show": "holds"}, {"show": "remark"}],
    "length": [{"seeds": True}, {"seeds": True, "part": 0, "at": 0}],
    "mask-and-cache": [{"view": "sees"}, {"row": 0}, {"mask": "none", "layers": 4}],
    "prediction": [{"guess": guess, "shown": shown} for guess in (0, 40, 92, 94, 100) for shown in (False, True)],
    "query-plane": [
        {"query": query, "score": score}
        for score in ("dot", "distance")
        for query in ([0.5, 0.4], [-1.2, -1.2], [2, 2], [-2, -0.2], [0.4, -1])
    ],
    "translator": [{"row": 2}, {"kind": "encoder"}, {"kind": "decoder", "heads": "0.1"}],
    "word-moves": [
        {"sentence": sentence, "word": word, "show": show, **more}
        for sentence, word in [(0, 1), (0, 4), (1, 1), (1, 3)]
        for show in ("before", "after")
        for more in ({}, {"residual": False}, {"pulls": True, "sharpness": 2})
    ],
}  # fmt: skip
MOUNTED = """
given => {
  document.querySelector(".course-figure").replaceChildren();
  const element = document.body.appendChild(document.createElement("div"));
  globalThis.tried = { element, ...courseFigures.mount(element, given) };
}
"""
COVERED = """
async ([width, state]) => {
  tried.element.style.width = `${width}px`;
  tried.show(state);
  for (let i = 0; i < 4; i++) await new Promise(requestAnimationFrame);
  const root = tried.element.querySelector("figure.cf");
  const isSeen = element => {
    for (let one = element; one !== root; one = one.parentElement) {
      if (parseFloat(getComputedStyle(one).opacity) < 0.1) return false;
    }
    return true;
  };
  const boxOf = (element, name, dx, dy) => {  // its corners, since a word may be turned
    const { x, y, width, height } = element.getBBox();
    const { a, b, c, d, e, f } = element.getScreenCTM();
    const [left, right, top, bottom] = [x + dx * width, x + (1 - dx) * width, y + dy * height, y + (1 - dy) * height];
    const corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
    const frame = element.ownerSVGElement.getBoundingClientRect();
    return { name, frame, corners: corners.map(([u, v]) => [a * u + c * v + e, b * u + d * v + f]) };
  };
  const alongSides = ({ corners: [one, two, three] }) => [[one, two], [two, three]].map(([from, to]) => {
    const side = [to[0] - from[0], to[1] - from[1]];
    return side.map(part => part / Math.hypot(...side));
  });
  const shadow = ({ corners }, way) => corners.map(([x, y]) => x * way[0] + y * way[1]);
  const cover = (one, other) => [...alongSides(one), ...alongSides(other)].every(way => {
    const [first, second] = [shadow(one, way), shadow(other, way)];
    return Math.min(Math.max(...first), Math.max(...second)) - Math.max(Math.min(...first), Math.min(...second)) > 0.5;
  });
  const texts = [...root.querySelectorAll("svg text")].filter(
    text => text.textContent.trim() && !text.closest(".cf-badge") && isSeen(text));
  const badges = [...root.querySelectorAll("svg .cf-badge circle")].filter(isSeen);
  const boxes = [...texts.map(text => boxOf(text, text.textContent, 0.01, 0.22)),
                 ...badges.map(badge => boxOf(badge, `(${badge.parentElement.textContent})`, 0.12, 0.12))];
  const isOutside = ([x, y], frame) =>
    x < frame.left - 2 || x > frame.right + 2 || y < frame.top - 2 || y > frame.bottom + 2;
  const found = boxes.filter(({ corners, frame }) => corners.some(corner => isOutside(corner, frame)))
    .map(({ name }) => [name, "the edge"]);
  boxes.forEach((one, i) => boxes.slice(i + 1).forEach(other => {
    if (cover(one, other)) found.push([one.name, other.name]);
  }));
  return found;
}
"""


@each_figure
def test_no_word_and_no_letter_covers_another_or_leaves_the_drawing(browser, pages, name):
    page = opened(browser, pages[name], viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page.evaluate(MOUNTED, EXAMPLES[name]().given)
    found = {
        (width, str(state)): covered
        for width in WIDTHS
        for state in [{}, *STATES.get(name, [])]
        if (covered := page.evaluate(COVERED, [width, state]))
    }
    assert not found
    page.context.close()


PLACES = """
root => {
  const top = root.getBoundingClientRect().top;
  const from = selector => [...root.querySelectorAll(selector)].map(part => part.getBoundingClientRect().top - top);
  return [from(":scope > svg")[0], from(".cf-above").length, from(".cf-below")];
}
"""


@each_figure
@pytest.mark.parametrize("width", [332, 360])
def test_the_picture_comes_first_also_on_a_phone(browser, pages, name, width):
    page = opened(browser, pages[name], viewport={"width": width, "height": 800})
    figure = page.locator("figure.cf")
    picture, n_lines, below = figure.evaluate(PLACES)
    title = figure.locator(".cf-title").bounding_box()
    assert title is not None
    assert picture - title["height"] <= (60 if n_lines else 12)  # at most one line stands between them
    assert all(place > picture for place in below)
    page.context.close()


def test_the_answer_to_a_prediction_comes_and_goes_with_its_button(browser, pages):
    for name, guess, answer in (("prediction", None, "94 % of its weight"), ("choice", "Paris", "Rome")):
        page = opened(browser, pages[name], viewport={"width": 360, "height": 800})
        title, said = page.locator(".cf-title"), page.locator("figure.cf .cf-unseen").first
        question = title.text_content() or ""
        if guess:
            page.get_by_role("button", name=guess).click()
        else:
            page.locator("figure.cf svg").click(position={"x": 100, "y": 58})  # the line, not only its handle
        expect(said).to_contain_text("Your guess: ")
        button = page.get_by_role("button", name="Show the answer")
        button.click()
        expect(title).to_have_text(
            re.compile(rf"^You said .*; the answer is {answer}$".replace(" %", r"\s%"))
        )
        page.get_by_role("button", name="Hide the answer").click()
        expect(title).to_have_text(question)
        expect(button).to_be_enabled()
        page.context.close()


def test_a_prediction_without_an_answer_says_where_it_comes_from(browser, tmp_path):
    Prediction("How many?")._control.save(tmp_path / "open.html")
    page = opened(browser, tmp_path / "open.html")
    expect(page.get_by_role("button", name="Show the answer")).to_be_disabled()
    expect(page.get_by_text("Guess, then run the next cell.")).to_be_visible()
    page.locator("figure.cf .cf-handle").press("ArrowRight")
    expect(page.get_by_text("Now run the next cell: it finds the answer.")).to_be_visible()
    page.context.close()


def test_a_line_of_the_title_does_not_end_between_a_number_and_its_unit(browser, pages):
    page = opened(browser, pages["sentence"], viewport={"width": 360, "height": 800})
    title = page.locator(".cf-title").text_content()
    assert title == "‘is’ looks at ‘hearing’, 11\xa0words back: 72\xa0% of its weight"
    page.context.close()


@each_figure
def test_a_finger_finds_every_input(browser, pages, name):
    page = opened(
        browser, pages[name], viewport={"width": 360, "height": 800}, has_touch=True, is_mobile=True
    )
    inputs = page.locator(
        "figure.cf .cf-controls :is(button, select, summary, .cf-option span, "
        "input:not([type=radio], [type=checkbox]), .cf-control:has([type=checkbox])), "
        "figure.cf .cf-choice[aria-label^='Show ']"
    )
    heights = [box["height"] for one in inputs.all() if one.is_visible() and (box := one.bounding_box())]
    assert heights
    assert min(heights) >= 44
    page.context.close()


CUT = """
root => [...root.querySelectorAll(".cf-controls :is(button, input[type=text], .cf-option span)")].filter(one => {
  const [box, frame] = [one.getBoundingClientRect(), root.getBoundingClientRect()];
  return box.right > frame.right + 1 || one.scrollWidth > one.clientWidth + 1;
}).map(one => one.value || one.textContent)
"""


@each_figure
def test_no_input_is_cut_on_a_phone(browser, pages, name):
    page = opened(browser, pages[name], viewport={"width": 360, "height": 800})
    for folded in page.locator("figure.cf summary").all():
        folded.press("Enter")
    assert page.locator("figure.cf").evaluate(CUT) == []
    page.context.close()


def test_what_few_need_is_folded_and_opens_by_keyboard(browser, pages):
    page = opened(browser, pages["word-moves"], viewport={"width": 360, "height": 800})
    slider = page.get_by_role("slider", name="Sharpness")
    expect(slider).not_to_be_visible()
    page.locator("summary", has_text="More").press("Enter")
    slider.press("ArrowRight")
    expect(page.locator("figure.cf .cf-unseen").first).to_contain_text("Sharpness 1.1")
    page.context.close()
