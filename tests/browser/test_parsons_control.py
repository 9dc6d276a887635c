"""A puzzle's control in the browser: lines moved by mouse, finger and keyboard, in light and dark, on a phone."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Locator, Page, expect

from course_lib.exercises.parsons import Puzzle
from course_lib.exercises.parsons.widget import HERE, Ordering
from tests.support.lab import chromium

pytestmark = pytest.mark.share(3)

PUZZLE = Puzzle("""
  | def one_score(w, g, j):
A |     slopes = w * (1 - mine)
B |     delta[j] = 1
C |     total = (g * slopes).mean()
D |     for a_rather_long_name in range(len(weights_of_all_of_the_keys)):
E |         slopes = w * (delta - mine)
F |     delta = np.zeros(len(w))
  |     return total
""")
THEMES = {"light": ("true", "#fff", "#000"), "dark": ("false", "#111", "#fff")}
EXPORT = "export default { initialize, render };"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
MODEL = """
(puzzle) => {
  window.model = {
    state: { puzzle, order: [] },
    listeners: [],
    saved: 0,
    get(name) { return this.state[name]; },
    set(name, value) { this.state[name] = value; for (const listener of this.listeners) listener(); },
    on(_, listener) { this.listeners.push(listener); },
    off(_, listener) { this.listeners = this.listeners.filter((other) => other !== listener); },
    save_changes() { this.saved += 1; },
  };
  window.unrender = window.renderParsons({ model: window.model, el: document.querySelector("#here") });
}
"""


@pytest.fixture(scope="module")
def browser_page(browser_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(browser_path, tmp_path_factory.mktemp("home")) as browser:
        page = browser.new_page(viewport={"width": 900, "height": 900}, has_touch=True)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: errors.append(request.url) if "http" in request.url else None)
        yield page
        assert errors == []


def shown(page: Page, theme: str = "light") -> None:
    """Put a control on the page."""
    is_light, paper, ink = THEMES[theme]
    page.set_content(
        f'<!doctype html><html lang="en"><head><title>Set</title><style>{Ordering._css}</style></head>'
        f'<body data-jp-theme-light="{is_light}" style="background: {paper}; margin: 8px"><main>'
        f'<h1 style="color: {ink}">A set</h1><div id="here"></div></main></body></html>'
    )
    script = (HERE / "widget.js").read_text(encoding="utf-8")
    assert EXPORT in script
    body = script.replace(EXPORT, "initialize(); window.renderParsons = render;")
    page.add_script_tag(content=f"(() => {{ {body} }})()")
    page.evaluate(MODEL, Ordering(PUZZLE).puzzle)


@pytest.fixture
def page(browser_page: Page) -> Page:
    browser_page.set_viewport_size({"width": 900, "height": 900})
    shown(browser_page)
    return browser_page


def order(page: Page) -> str:
    """The order as the kernel hears it; it has to be the one that is seen."""
    found = "".join(page.evaluate("window.model.state.order"))
    seen = "".join(
        page.locator("ol > [data-letter]").evaluate_all("(rows) => rows.map((r) => r.dataset.letter)")
    )
    assert seen == found
    assert page.locator(".course-parsons-line").text_content() == f'return "{" ".join(found)}"'
    left = page.locator("ul > [data-letter]").evaluate_all("(rows) => rows.map((r) => r.dataset.letter)")
    assert "".join(left) == "".join(letter for letter in "ABCDEF" if letter not in found)
    return found


def row(page: Page, letter: str) -> Locator:
    return page.locator(f'[data-letter="{letter}"]')


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.ariaLabel || document.activeElement.tagName"))


# ---- Keyboard ----


def test_lines_are_taken_moved_and_put_back_by_the_keyboard_alone(page: Page) -> None:
    assert focused(page) == "BODY", "it does not take the focus by itself"
    page.keyboard.press("Tab")
    assert focused(page) == "Take line A: slopes = w * (1 - mine)"
    page.keyboard.press("Enter")
    assert order(page) == "A"
    assert focused(page).startswith("Take line B"), "on to the next line"
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # D
    assert order(page) == "ABD"
    expect(page.locator("[aria-live]")).to_have_text("Line D is line 3 of 3 in your program.")
    page.get_by_role("button", name="Move up line D").focus()
    page.keyboard.press("Enter")
    assert order(page) == "ADB"
    assert focused(page).startswith("Move up line D"), "the focus goes along"
    page.keyboard.press("Enter")
    assert order(page) == "DAB"
    assert focused(page).startswith("Move down line D"), "at the top it cannot go up"
    page.keyboard.press("Enter")
    assert order(page) == "ADB"
    page.keyboard.press("ArrowDown")
    assert order(page) == "ABD"
    page.keyboard.press("ArrowDown")
    assert order(page) == "ABD", "at the end"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert order(page) == "DAB"
    page.get_by_role("button", name="Put back line A").focus()
    page.keyboard.press("Enter")
    assert order(page) == "DB"
    assert focused(page).startswith("Put back line B")
    expect(page.locator("[aria-live]")).to_have_text("Line A is back among the lines to choose from.")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert order(page) == ""
    assert focused(page).startswith("Take line D"), "the last one that was put back"
    expect(page.locator("ol")).to_have_text("Take a line, and it stands here.")


def test_all_lines_can_be_taken(page: Page) -> None:
    page.keyboard.press("Tab")
    for _ in range(6):
        page.keyboard.press("Enter")
    assert order(page) == "ABCDEF"
    assert focused(page).startswith("Put back line F"), "where there is no next one, along with the line"
    expect(page.locator("ul")).to_have_text("All lines are taken.")


def test_arrow_keys_with_others_and_outside_the_program_move_nothing(page: Page) -> None:
    for letter in "AB":
        row(page, letter).get_by_role("button").click()
    page.get_by_role("button", name="Move down line A").focus()
    for keys in ("Control+ArrowDown", "Shift+ArrowDown", "Alt+ArrowDown"):
        page.keyboard.press(keys)
    page.get_by_role("button", name="Take line C").focus()
    page.keyboard.press("ArrowDown")
    assert order(page) == "AB"


def test_keys_belong_to_the_control_and_shift_enter_to_the_notebook(page: Page) -> None:
    button = page.get_by_role("button", name="Take line A")
    press = "(button, keys) => button.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...keys }))"
    for keys, is_ours in [
        ({"key": "ArrowDown"}, True),
        ({"key": "Enter"}, True),
        ({"key": "Enter", "shiftKey": True}, False),
        ({"key": "s", "ctrlKey": True}, False),
    ]:
        button.evaluate(press, keys)
        assert (button.get_attribute("data-lm-suppress-shortcuts") == "") is is_ours, keys


def test_who_asks_sees_the_program_with_its_indentation(page: Page) -> None:
    for letter in "FDE":
        row(page, letter).get_by_role("button").click()
    box = page.locator(".course-parsons-box").nth(1)
    shown_lines = box.locator("code")
    assert shown_lines.all_text_contents() == [
        "def one_score(w, g, j):",
        "delta = np.zeros(len(w))",
        "for a_rather_long_name in range(len(weights_of_all_of_the_keys)):",
        "slopes = w * (delta - mine)",
        "return total",
    ]
    indents = [
        shown_lines.nth(n).evaluate("(code) => parseFloat(getComputedStyle(code).paddingLeft)")
        for n in range(5)
    ]
    assert indents == pytest.approx([0, indents[1], indents[1], 2 * indents[1], indents[1]], rel=1e-3)
    assert indents[1] > 20
    lefts = [shown_lines.nth(n).bounding_box()["x"] for n in range(5)]
    assert max(lefts) - min(lefts) < 3, "given lines and chosen ones stand in one column"


# ---- Mouse and touch ----


def middle(where: Locator) -> tuple[float, float]:
    box = where.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, letter: str, to: tuple[float, float], drop: bool = True) -> None:
    x, y = middle(row(page, letter).locator(".course-parsons-letter"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y + 8)
    page.mouse.move(*to, steps=4)
    if drop:
        page.mouse.up()


def above(page: Page, letter: str) -> tuple[float, float]:
    x, y = middle(row(page, letter))
    return x, y - 4


def below(page: Page, letter: str) -> tuple[float, float]:
    x, y = middle(row(page, letter))
    return x, y + 4


def test_lines_are_dragged_by_the_mouse(page: Page) -> None:
    empty = page.locator("ol")
    drag(page, "F", middle(empty))
    assert order(page) == "F"
    drag(page, "B", below(page, "F"))
    assert order(page) == "FB"
    drag(page, "E", above(page, "B"))
    assert order(page) == "FEB"
    drag(page, "D", above(page, "F"))
    assert order(page) == "DFEB"
    drag(page, "D", below(page, "E"))
    assert order(page) == "FEDB"
    drag(page, "B", above(page, "F"))
    assert order(page) == "BFED"
    drag(page, "E", middle(page.locator("ul")))
    assert order(page) == "BFD"
    assert page.locator(".course-parsons-marker, .is-dragged, .is-over").count() == 0


def test_while_a_line_is_dragged_its_place_is_marked(page: Page) -> None:
    for letter in "AB":
        row(page, letter).get_by_role("button").click()
    drag(page, "C", above(page, "B"), drop=False)
    kinds = page.locator("ol > li").evaluate_all("(rows) => rows.map((r) => r.dataset.letter ?? '-')")
    assert kinds == ["A", "-", "B"]
    page.mouse.up()
    assert order(page) == "ACB"


@pytest.mark.parametrize("way", ["outside", "escape", "a click"])
def test_a_drag_that_ends_nowhere_changes_nothing(page: Page, way: str) -> None:
    row(page, "A").get_by_role("button").click()
    if way == "outside":
        drag(page, "C", (450, 880))
    elif way == "escape":
        drag(page, "C", above(page, "A"), drop=False)
        page.keyboard.press("Escape")
        page.mouse.up()
    else:
        page.mouse.click(*middle(row(page, "C").locator(".course-parsons-letter")))
    assert order(page) == "A"
    assert page.locator(".course-parsons-marker, .is-dragged, .is-over").count() == 0
    drag(page, "C", above(page, "A"))
    assert order(page) == "CA"


def test_a_finger_drags_by_the_grip_and_scrolls_elsewhere(page: Page) -> None:
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def swipe(start: tuple[float, float], end: tuple[float, float]) -> None:
        touch("touchStart", start)
        for n in range(1, 6):
            touch("touchMove", tuple(a + (b - a) * n / 5 for a, b in zip(start, end, strict=True)))
        touch("touchEnd")

    swipe(middle(row(page, "B").locator("code")), middle(page.locator("ol")))
    assert order(page) == ""
    swipe(middle(row(page, "B").locator(".course-parsons-grip")), middle(page.locator("ol")))
    assert order(page) == "B"
    swipe(middle(row(page, "F").locator(".course-parsons-grip")), above(page, "B"))
    assert order(page) == "FB"


def test_the_line_is_copied_or_marked(page: Page) -> None:
    for letter in "FB":
        row(page, letter).get_by_role("button").click()
    page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', { configurable: true, value: {"
        " writeText: async (text) => { window.copied = text; } } })"
    )
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("[aria-live]")).to_have_text('Copied: return "F B"')
    assert page.evaluate("window.copied") == 'return "F B"'
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })")
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("[aria-live]")).to_contain_text("press Ctrl+C")
    assert page.evaluate("getSelection().toString()") == 'return "F B"'


def test_a_second_view_follows_and_a_closed_one_does_not_listen(page: Page) -> None:
    page.evaluate("window.model.set('order', ['C', 'A'])")
    assert order(page) == "CA"
    page.evaluate("window.unrender()")
    assert page.evaluate("window.model.listeners.length") == 0


# ---- For everybody ----


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing(browser_page: Page, theme: str) -> None:
    shown(browser_page, theme)
    for taken in ("", "FB", "ABCDEF"):
        browser_page.evaluate("(order) => window.model.set('order', order)", list(taken))
        assert audit(browser_page) == [], taken


def test_axe_finds_a_planted_fault(page: Page) -> None:
    page.add_style_tag(content=".course-parsons-row code { color: #bbb !important }")
    assert audit(page) == ["color-contrast"]


def audit(page: Page) -> list[str]:
    """The rules that axe finds broken in the control."""
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate("(tags) => axe.run('#here', { runOnly: tags, resultTypes: ['violations'] })", TAGS)
    return [each["id"] for each in found["violations"]]


@pytest.mark.parametrize("width", [320, 360, 900])
def test_nothing_sticks_out_on_a_phone(browser_page: Page, width: int) -> None:
    browser_page.set_viewport_size({"width": width, "height": 800})
    shown(browser_page)
    browser_page.evaluate("window.model.set('order', ['F', 'D', 'E'])")
    assert browser_page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    inner = browser_page.locator(".course-parsons-row > *").evaluate_all(
        "(all) => all.filter((each) => each.getBoundingClientRect().right > "
        "each.parentElement.getBoundingClientRect().right).length"
    )
    assert inner == 0
    small = browser_page.locator("#here button").evaluate_all(
        "(all) => all.filter((b) => Math.min(b.offsetWidth, b.offsetHeight) < 24).length"
    )
    assert small == 0
    browser_page.set_viewport_size({"width": 900, "height": 900})
