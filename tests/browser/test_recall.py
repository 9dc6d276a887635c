"""`recall()` at its keyboard, in the browser: the control, with its kernel's side behind it, in light and dark."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from course_lib.exercises.recall import Store, load
from course_lib.exercises.recall.widget import HERE, Recall
from tests.support.lab import chromium

pytestmark = pytest.mark.share(3)

BANK = load()
MONDAY = date(2026, 9, 14)
# What JupyterLab says, the colour behind the page, and that of its words.
THEMES = {"light": ("true", "#fff", "#000"), "dark": ("false", "#111", "#fff")}
EXPORT = "export default { initialize, render };"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
ON_PAGE: list[Recall] = []  # the control that the page now talks to
MODEL = """
(view) => {
  window.model = {
    state: { view, reply: {} },
    listeners: [],
    get(name) { return this.state[name]; },
    set(name, value) { this.state[name] = value; },
    on(_, listener) { this.listeners.push(listener); },
    async save_changes() {
      this.state.view = await window.replied(this.state.reply);
      for (const listener of this.listeners) listener();
    },
  };
  window.renderRecall({ model: window.model, el: document.querySelector("#here") });
}
"""


@pytest.fixture(scope="module")
def browser_page(browser_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(browser_path, tmp_path_factory.mktemp("home")) as browser:
        page = browser.new_page(viewport={"width": 800, "height": 900})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: errors.append(request.url) if "http" in request.url else None)
        page.expose_function("replied", reply_to)
        yield page
        assert errors == []


def reply_to(reply: dict) -> dict:
    """Answer for the kernel."""
    control = ON_PAGE[0]
    control.reply = reply
    return control.view


def shown(page: Page, control: Recall, theme: str = "light") -> None:
    """Put a control on the page."""
    is_light, paper, ink = THEMES[theme]
    ON_PAGE[:] = [control]
    page.set_content(
        f'<!doctype html><html lang="en"><head><title>Recall</title><style>{Recall._css}</style></head>'
        f'<body data-jp-theme-light="{is_light}" style="background: {paper}; margin: 8px"><main>'
        f'<h1 style="color: {ink}">A chapter</h1><div id="here"></div></main></body></html>'
    )
    script = (HERE / "widget.js").read_text(encoding="utf-8")
    assert EXPORT in script
    body = script.replace(EXPORT, "initialize(); window.renderRecall = render;")
    page.add_script_tag(content=f"(() => {{ {body} }})()")
    page.evaluate(MODEL, control.view)


def asking(store: Store, kind: str) -> Recall:
    """A control that asks a question of a kind, and then the day's others."""
    control = Recall(BANK, store, read=1, clock=lambda: MONDAY)
    control._session.chapter = 1
    control._session._passed = {question.id for question in BANK.of_chapter(1) if question.kind != kind}
    control._go_on()
    return control


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "work")


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.textContent || document.activeElement.type"))


def test_a_choice_by_the_keyboard_alone(browser_page: Page, store: Store) -> None:
    page, control = browser_page, asking(store, "choice")
    question = BANK.questions[control.view["question"]]
    shown(page, control)
    assert page.evaluate("document.activeElement === document.body"), "it does not take the focus by itself"
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    right = control._options.index(question.right)
    for _ in range(right):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".course-recall-verdict")).to_have_text("✓ Right.")
    assert focused(page) == "✓ Right.", "a screen reader goes on from here"
    expect(page.locator(".is-right")).to_contain_text("right, your answer")
    page.keyboard.press("Tab")
    assert focused(page) == "Next question"
    page.keyboard.press("Enter")
    expect(page.locator("legend")).to_be_visible()
    assert control.view["question"] != question.id
    assert page.evaluate("document.activeElement.type") == "radio", "on to the next question"
    assert [answer.right for answer in store.load().answers] == [True]


def test_who_chooses_nothing_is_asked_to(browser_page: Page, store: Store) -> None:
    shown(browser_page, asking(store, "choice"))
    browser_page.get_by_role("button", name="Answer").press("Enter")
    expect(browser_page.get_by_role("alert")).to_have_text("Choose one.")
    assert store.load().answers == ()


def test_a_number_by_the_keyboard_alone(browser_page: Page, store: Store) -> None:
    page, control = browser_page, asking(store, "number")
    question = BANK.questions[control.view["question"]]
    shown(page, control)
    page.keyboard.press("Tab")
    page.keyboard.type("many")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Write a number")
    expect(page.get_by_role("textbox")).to_have_value("many")
    expect(page.get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(str(question.wrong[0].value))
    page.keyboard.press("Enter")
    expect(page.locator(".course-recall-verdict")).to_have_text("✗ Not right.")
    expect(page.locator("#here")).to_contain_text(question.wrong[0].says.replace("*", ""))
    assert store.load().answers[0].misconception == question.wrong[0].misconception


def test_an_order_by_the_keyboard_alone(browser_page: Page, store: Store) -> None:
    page, control = browser_page, asking(store, "order")
    question = BANK.questions[control.view["question"]]
    shown(page, control)
    rows = page.locator("#here ol > li")
    for place, line in enumerate(question.lines):
        while spoken(page).index(line) != place:
            rows.nth(spoken(page).index(line)).get_by_role(
                "button", name=f"Move up: {line}", exact=True
            ).focus()
            page.keyboard.press("Enter")
            said = page.locator(".course-recall-unseen")
            expect(said).to_contain_text(f"{line}: now ")
            assert line in str(page.evaluate("document.activeElement.ariaLabel")), "the focus goes along"
    page.get_by_role("button", name="Answer").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".course-recall-verdict")).to_have_text("✓ Right.")
    assert store.load().answers[0].right


def spoken(page: Page) -> list[str]:
    """The lines as they stand, without their numbers and buttons."""
    return [
        text.partition(". ")[2]
        for text in page.locator("#here ol > li > span:first-of-type").all_text_contents()
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing(browser_page: Page, store: Store, theme: str) -> None:
    page = browser_page
    for kind in ("choice", "number", "order"):
        for right in (True, False):
            control = asking(store, kind)
            shown(page, control, theme)
            assert audit(page) == [], (kind, "asked")
            question = BANK.questions[control.view["question"]]
            page.evaluate(
                "(reply) => { model.set('reply', reply); return model.save_changes(); }",
                reply(control, right),
            )
            expect(page.locator(".course-recall-verdict")).to_have_text(
                "✓ Right." if right else "✗ Not right."
            )
            assert audit(page) == [], (kind, right, question.id)
    done = Recall(BANK, store, read=0, clock=lambda: MONDAY)
    done._session._read = 0
    shown(page, done, theme)
    assert audit(page) == []


def test_axe_finds_a_planted_fault(browser_page: Page, store: Store) -> None:
    shown(browser_page, asking(store, "choice"))
    browser_page.add_style_tag(content=".course-recall legend { color: #bbb !important }")
    assert audit(browser_page) == ["color-contrast"]


def reply(control: Recall, right: bool) -> dict:
    """What a reader answers, as the browser sends it."""
    question = BANK.questions[control.view["question"]]
    answer: object = str(question.answer if right else question.wrong[0].value)
    if question.kind == "choice":
        answer = control._options.index(question.right if right else question.wrong[0].text)
    elif question.kind == "order":
        answer = [control._options.index(line) for line in question.lines][:: 1 if right else -1]
    return {"do": "answer", "question": question.id, "answer": answer, "count": control.view["number"]}


def audit(page: Page) -> list[str]:
    """The rules that axe finds broken in the control."""
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate("(tags) => axe.run('#here', { runOnly: tags, resultTypes: ['violations'] })", TAGS)
    return [each["id"] for each in found["violations"]]


@pytest.mark.parametrize("width", [340, 800])
def test_nothing_sticks_out_on_a_phone(browser_page: Page, store: Store, width: int) -> None:
    browser_page.set_viewport_size({"width": width, "height": 900})
    for kind in ("choice", "number", "order"):
        shown(browser_page, asking(store, kind))
        assert browser_page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    browser_page.set_viewport_size({"width": 800, "height": 900})
