"""The pages that show what students wrote: nothing of it runs, nothing is loaded, no secret is told."""

import json
import re
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
import nbgrader
import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output, new_raw_cell
from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension
from playwright.sync_api import Page, Route, expect, sync_playwright

from course_grading.bank import bank_answers
from course_grading.content import UNSEEN
from course_grading.html import (
    LONGEST,
    LONGEST_SHOWN,
    MOST_HTML,
    KeepWhatIsShown,
    highlight_code,
    markdown_to_html,
)
from course_grading.limits import cpu_seconds
from course_grading.problem_sets import SOLUTION, grade_id_of
from tests.support.classroom import BANK, ROOT, Classroom
from tests.support.lab import CHROMIUM_OPTIONS
from tests.support.pictures import drawn
from tests.support.secrets import plain, without_long_strings

NAME = "ps01"
STATIC = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "static"
LAB = "http://lab.example"
EVIL = "https://evil.example/x"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
RUN = "window.hacked=1"
UNSEEN_TEXT = "a\x00b\x1b[2Jc\x1b]0;title\x07d\u202ee\u2066f\u200fg\x9bh"
MARKDOWN = [
    f"<script>{RUN}</script>",
    f"<scr<script>ipt>{RUN}</scr</script>ipt>",
    f"<img src=x onerror={RUN}>",
    f"<IMG/SRC='x'/ONERROR='{RUN}'>",
    f"<img src={EVIL}> ![beacon]({EVIL}) ![beside](plot.png)",
    f'![x](data:image/svg+xml;base64,AAAA) ![x](data:text/html,<script>{RUN}</script>) ![" onerror={RUN} x](x)',
    f"[a](javascript:{RUN}) [b](JaVa\tscript:{RUN}) [c](&#106;avascript:{RUN}) [d](vbscript:x) <javascript:{RUN}>",
    f"[a](data:text/html,<script>{RUN}</script>) [b](//evil.example) [c](evil.html) [d](/lab/api) [e](files/x.html)",
    f'[a]({EVIL} "x\\" onclick={RUN}") [ok](https://example.org) <a href="javascript:{RUN}">x</a>',
    f"<iframe src={EVIL}></iframe><object data={EVIL}></object><embed src={EVIL}>",
    f"<form action={EVIL}><input name=q><button>Log in</button></form>\n\n- [x] done",
    "<style>@import url(https://evil.example/x); body{display:none}</style>",
    f"<link rel=stylesheet href={EVIL}><base href={EVIL}><meta http-equiv=refresh content='0;url={EVIL}'>",
    f"<div style='position:fixed;inset:0;background:url({EVIL})' id=statusmessage class='comment'>x</div>",
    f"<details open ontoggle={RUN}><summary onclick={RUN}>x</summary></details>",
    f"<svg onload={RUN}><animate onbegin={RUN}><use href={EVIL}></svg>",
    f"<math><mtext><table><mglyph><style><img src=x onerror={RUN}></style></mglyph></table></mtext></math>",
    f"<math href='javascript:{RUN}'><maction actiontype=statusline xlink:href='javascript:{RUN}'>x</maction></math>",
    f"<noscript><p title='</noscript><img src=x onerror={RUN}>'>",
    f"<textarea></textarea><!-- --!><img src=x onerror={RUN}> --><![CDATA[<script>{RUN}</script>]]>",
    f"</div></div></body></html><script>{RUN}</script><plaintext>",
    f"$\\text{{<script>{RUN}</script>}}$ $\\href{{javascript:{RUN}}}{{x}}$ $$\\style{{position:fixed}}{{x}}$$",
    f"<span class='formula'>\\href{{javascript:{RUN}}}{{x}}</span>",
    f'# Heading <img src=x onerror={RUN}> $x" onmouseover={RUN}$',
    f"```mermaid\n<img src=x onerror={RUN}>\n```\n\n```html\n<script>{RUN}</script>\n```",
    f"| <b onclick={RUN}>x</b> | y |\n|:-:|--|\n| <script>{RUN}</script> | $x$ |",
]
DATA = {
    "text/html": f"<script>{RUN}</script><img src={EVIL} onerror={RUN}>",
    "image/svg+xml": f"<svg xmlns='http://www.w3.org/2000/svg' onload='{RUN}'><script>{RUN}</script></svg>",
    "application/javascript": RUN,
    "text/markdown": f"<script>{RUN}</script> ![x]({EVIL})",
    "text/latex": f"$<script>{RUN}</script>$",
    "text/vnd.mermaid": f"</pre><script>{RUN}</script>",
    "application/pdf": "AAAA",
    "application/vnd.jupyter.widget-view+json": {"model_id": "m", "version_major": 2, "version_minor": 0},
    "text/plain": f"<script>{RUN}</script>\x1b[31;1m<b>red</b>\x1b[38;2;1;2;3m",
}
PICTURE_METADATA = {
    "width": f"1 onload={RUN} x=",
    "image/png": {
        "width": f"1 onload={RUN} x=",
        "height": f'"><script>{RUN}</script>',
        "alt": f'"><script>{RUN}</script>',
    },
    "filenames": {"image/png": EVIL},
    "text/html": {"isolated": True},
}


def hostile_cells():
    yield from (new_markdown_cell(text) for text in MARKDOWN)
    attachment = {
        "x": {"image/svg+xml": "AAAA"},
        "y": {"text/html": "AAAA"},
        "z": {"image/png": f'"onerror={RUN} x="'},
    }
    yield new_markdown_cell(
        "![](attachment:x) ![](attachment:y) ![](attachment:z) ![](attachment:none)", attachments=attachment
    )
    yield new_raw_cell(f"<script>{RUN}</script>", metadata={"raw_mimetype": "text/html"})
    outputs = [
        new_output("display_data", {kind: value}, metadata=PICTURE_METADATA) for kind, value in DATA.items()
    ]
    outputs += [
        new_output(
            "execute_result", {"image/png": PNG, "text/plain": "a picture"}, metadata=PICTURE_METADATA
        ),
        new_output("display_data", {"image/jpeg": f'"><script>{RUN}</script>'}),
        new_output("stream", name="stderr", text=f"\x1b[31m<img src=x onerror={RUN}>"),
        new_output(
            "error", ename=f"<script>{RUN}</script>", evalue="x", traceback=[f"<script>{RUN}</script>"]
        ),
    ]
    outputs += [
        new_output("stream", name="stdout", text=UNSEEN_TEXT),
        new_output("error", ename="E", evalue=UNSEEN_TEXT, traceback=[UNSEEN_TEXT]),
        new_output("display_data", {"text/plain": UNSEEN_TEXT}),
    ]
    yield new_markdown_cell(f"{UNSEEN_TEXT}\n\n`{UNSEEN_TEXT}` ${UNSEEN_TEXT}$")
    yield new_code_cell(f"'{UNSEEN_TEXT}'")
    tags = [f'"><script>{RUN}</script>', "nbgrader_cell comment"]
    cell = new_code_cell(f"# </pre><script>{RUN}</script>\nx = '<img src=x onerror={RUN}>'", outputs=outputs)
    cell.metadata = {"tags": tags, "name": f'"><script>{RUN}</script>', "nbgrader": "x"}
    yield cell
    for answers in (True, False):
        marks = {
            "grade_id": f'"><script>{RUN}</script>',
            "points": f"<script>{RUN}</script>",
            "comment": f"<script>{RUN}</script>",
        }
        marks |= {"solution": answers, "grade": True, "task": not answers, "score": f"<script>{RUN}</script>"}
        yield new_markdown_cell("x", metadata={"nbgrader": marks})


def make_hostile(path):
    """Put all that is hostile into a notebook that was graded: nothing of what grading cleans is relied upon."""
    notebook = nbformat.read(path, as_version=4)
    written = [cell for cell in notebook.cells if cell.cell_type == "markdown" and grade_id_of(cell)]
    written[0].source = "\n\n".join(MARKDOWN)
    notebook.cells += list(hostile_cells())
    notebook.metadata["title"] = f"</title><script>{RUN}</script>"
    notebook.metadata["lang"] = notebook.metadata["language"] = f'"><script>{RUN}</script>'
    notebook.metadata["language_info"] = {"name": f'"><script>{RUN}</script>', "pygments_lexer": "html"}
    state = {
        "m": {"model_name": "HTMLModel", "model_module": EVIL, "state": {"value": f"<script>{RUN}</script>"}}
    }
    widgets = {"state": state, "version_major": 2, "version_minor": 0}
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": widgets}
    path.write_text(json.dumps(notebook), encoding="utf-8")


PRINTS_MUCH = """
import gc, inspect, sys, traceback
def show_what_is_here():
    for frame in inspect.stack(context=9):
        print(frame.filename, *(frame.code_context or []))
    print(*traceback.format_stack())
    print([thing for thing in gc.get_objects() if isinstance(thing, dict) and "reference" in thing][:50])
    print({name: str(value)[:500] for name, value in globals().items()})
"""


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """Two students: one honest, whose code tells all it can find, one hostile. Both are graded, with feedback."""
    room = Classroom(tmp_path_factory.mktemp("course"), [NAME])
    questions = room.sets[NAME].questions
    chosen = {}
    for name, question in questions.items():
        answers = bank_answers(BANK / NAME / name, question.points)
        chosen[name] = next(answer for answer in answers if answer.is_right != (name == "q2"))
    telling = {name: replace(answer, source=tell(answer.source)) for name, answer in chosen.items()}
    room.hand_in("honest", NAME, telling, "Half, $\\frac{1}{2}$ of `a$b$c`, costs 5 $.")
    room.hand_in("hostile", NAME, chosen, "x")
    room.nbgrader("autograde", NAME)
    make_hostile(room.folder / "autograded" / "hostile" / NAME / f"{NAME}.ipynb")
    room.nbgrader("generate_feedback", NAME)
    return room


def tell(source):
    """Have each function of an answer print what it can find, when it is defined and when it is called."""
    called = re.sub(
        r"^(def .*:\n(?:    \"\"\".*?\"\"\"\n)?)", r"\1    show_what_is_here()\n", source, flags=re.M | re.S
    )
    return f"{PRINTS_MUCH}\nshow_what_is_here()\n{called}"


def feedback(room, student):
    return (room.folder / "feedback" / student / NAME / f"{NAME}.html").read_text(encoding="utf-8")


def formgrade(room, student, monkeypatch):
    """Render a submission as formgrader does, in its extension and its handler."""
    monkeypatch.chdir(room.folder)
    extension = FormgradeExtension()
    extension.initialize([], root=str(room.folder))
    names = {"assignment_id": NAME, "notebook_id": NAME, "submission_id": "s", "student": student}
    resources = names | {
        "index": 0,
        "total": 1,
        "base_url": "",
        "notebook_path": "x",
        "last_name": None,
        "first_name": None,
    }
    path = room.folder / "autograded" / student / NAME / f"{NAME}.ipynb"
    page, _ = HTMLExporter(config=extension.config).from_filename(str(path), resources=resources)
    return page


@pytest.fixture(params=["feedback", "formgrade"])
def pages(request, room, monkeypatch):
    """One kind of page: the honest student's and the hostile one's."""
    if request.param == "feedback":
        return feedback(room, "honest"), feedback(room, "hostile")
    return formgrade(room, "honest", monkeypatch), formgrade(room, "hostile", monkeypatch)


FORBIDDEN = {
    "script",
    "iframe",
    "object",
    "embed",
    "form",
    "base",
    "meta",
    "link",
    "style",
    "svg",
    "video",
    "audio",
    "template",
}
LOADS = {
    "src",
    "srcset",
    "data",
    "poster",
    "background",
    "action",
    "formaction",
    "xlink:href",
    "ping",
    "manifest",
}


def harm(element):
    """Say what an element could do that a student's must not."""
    if element.name in FORBIDDEN:
        yield f"an element {element.name}"
    for name, value in element.attrs.items():
        text = " ".join(value) if isinstance(value, list) else value
        is_picture = element.name == "img" and text.startswith(("data:image/png;", "data:image/jpeg;"))
        if name.startswith("on") or (name in LOADS and not is_picture):
            yield f"{name}={text}"
        if name == "style" and re.search(r"url|position|@|expression", text):
            yield f"style={text}"
        if name == "href" and not text.startswith("#") and "noopener" not in element.get("rel", ""):
            yield f"href={text}"
        if name == "href" and not text.startswith(("#", "https://")):
            yield f"href={text}"


def test_nothing_that_a_student_writes_can_run_load_or_leave_its_place(pages):
    honest, hostile = (BeautifulSoup(page, "html.parser") for page in pages)
    own = [str(element) for element in honest.find_all(FORBIDDEN)]
    assert [str(element) for element in hostile.find_all(FORBIDDEN)] == own
    for page in (honest, hostile):
        cells = page.select_one("#notebook-container").find_all(True)
        assert len(cells) > 100
        assert [fault for element in cells for fault in harm(element)] == []
    for hook in (
        "[id]:not([id^='cell-id='])",
        "[name]",
        ".score",
        ".comment",
        ".nbgrader_cell",
        "[data-link]",
    ):
        assert len(hostile.select(hook)) == len(honest.select(hook)), f"formgrader's scripts look for {hook}"


def test_nothing_comes_from_another_machine(pages):
    for page in pages:
        for element in BeautifulSoup(page, "html.parser").find_all(["script", "link", "img", "style"]):
            address = element.get("src") or element.get("href") or ""
            assert address.startswith(("/formgrader/static/", "data:image/")) or not address
            assert not re.search(r"@import|url\(['\"]?(https?:)?//|cdn", element.text)


def test_what_a_student_may_show_is_there(pages):
    honest, hostile = (BeautifulSoup(page, "html.parser") for page in pages)
    assert f"data:image/png;base64,{PNG}" in [picture.get("src") for picture in hostile.find_all("img")]
    assert honest.find("details").find("summary").text == "Hint 1"
    assert "Half, 12 of a$b$c, costs 5 $." in honest.text
    assert "https://example.org" in [link.get("href") for link in hostile.find_all("a")]
    assert f"<script>{RUN}</script>" in hostile.text, "it is shown as it was written"


def test_controls_and_signs_that_turn_the_order_are_shown_as_what_they_are_not(pages):
    for page in pages:
        assert not UNSEEN.search(page)
    assert pages[1].count("a�b�[2Jc�]0;title�d�e�f�g�h") >= 6


def test_the_list_names_the_questions_and_each_output_says_whose_it_is(room):
    page = BeautifulSoup(feedback(room, "honest"), "html.parser")
    listed = [link.text for link in page.select("#toc a")]
    assert listed[0] == "Question 1: a convolution over a sentence"
    numbers = ["1", "2", "3", "4a", "4", "5", "6"]
    assert [name.partition(":")[0] for name in listed] == [f"Question {n}" for n in numbers]
    for link in page.select("#toc a"):
        assert page.select_one(f"a[name='{link['href'].removeprefix('#')}']")
    for cell in page.select(".code_cell"):
        said = [label.text for label in cell.select(".whose")]
        if "Score: " in cell.text:
            assert said == ["What the grader found:"]
        else:
            assert said in ([], ["What running this printed:"])


def test_who_grades_sees_the_rubric_beside_a_written_answer_and_nobody_else_does(room, monkeypatch):
    page = BeautifulSoup(formgrade(room, "honest", monkeypatch), "html.parser")
    [rubric] = page.select(".with_rubric .rubric")
    assert "Rubric (4 points)" in rubric.text
    assert "the recurrent network: a product of many factors" in " ".join(rubric.text.split())
    assert "Half, 12 of a$b$c, costs 5 $." in rubric.parent.text
    assert rubric.parent.select_one("input.score")["id"] == "q6"
    for student in ("honest", "hostile"):
        assert "one point for each of the three" not in feedback(room, student)


ADDRESS = f"[a]: http://x.y/{10_000 * 'z'}\n\n"
ATTACHED = {"a.png": {"image/png": PNG}}
CODE_BOMBS = {
    "blank lines": "1\n" + 99_000 * " \n" + "1",
    "a blank line": f"1\n{99_000 * ' '}\n1",
    "some blank lines": f"1\n{9_000 * (' ' + chr(10))}1",
    "short runs of blanks": 66 * (290 * "\n" + "1"),
    "dots": 25_000 * ".",
    "brackets": 19_000 * "(",
    "formatted texts": 6_000 * "f'{",
    "open texts": 4_000 * "'''\n" + '"""',
    "a long line": 300_000 * "x",
    "question marks": 19_000 * "?",
}
TEXT_BOMBS = {
    "one long address at many places": ADDRESS[:9_900] + "\n\n" + 2_500 * "[a] ",
    "a shorter one": ADDRESS[:1_900] + "\n\n" + 4_500 * "[a] ",
    "one picture at many places": 700 * "![a](attachment:a.png) ",
    "quotes in quotes": 9_000 * "> " + "x",
    "lists in lists": "\n".join(f"{n * '  '}- x" for n in range(140)),
    "brackets": 19_000 * "[",
    "open links": 6_000 * "[x](",
    "open pictures": 9_000 * "![",
    "stars": 9_000 * "*a",
    "stars and lines": 4_000 * "*_a ",
    "backticks": "".join(n * "`" + " " for n in range(190)),
    "dollars": 9_000 * "$a",
    "double dollars": 6_000 * "$$a",
    "environments": 1_000 * r"\begin{a}",
    "formulas": 4_000 * "$x$ ",
    "formulas that repeat": 300 * r"$\overline{\overline{\overline{\overline{x}}}}$ ",
    "elements in elements": 6_000 * "<b>",
    "elements that are opened again": 12 * "<b><i><u><s>" + 3_000 * "<p>",
    "half elements": 19_000 * "<",
    "comments": 4_000 * "<!--",
    "tables": "|a" * 300 + "|\n" + "|:-:" * 300 + "|\n" + ("|" * 300 + "\n") * 40,
    "backslashes": 19_000 * "\\",
    "entities": 4_000 * "&lt;",
}


@pytest.mark.parametrize("source", CODE_BOMBS.values(), ids=CODE_BOMBS)
def test_code_that_is_hard_to_colour_takes_little_time_and_is_shown(source):
    with cpu_seconds(30):
        page = highlight_code({}, source)
    assert len(page) < 100 * LONGEST
    assert BeautifulSoup(page, "html.parser").text.strip() == source.strip()


@pytest.mark.parametrize("source", TEXT_BOMBS.values(), ids=TEXT_BOMBS)
def test_a_text_that_is_hard_to_render_takes_little_time_and_stays_small(source):
    with cpu_seconds(30):
        page = markdown_to_html({"cell": {"attachments": ATTACHED}}, source)
    assert len(page) < 4 * MOST_HTML
    assert page


@pytest.mark.parametrize("times", [4, pytest.param(60, marks=pytest.mark.soak)])
def test_a_page_of_nothing_but_bombs_ends(times):
    cells = [new_markdown_cell(source, attachments=ATTACHED) for source in TEXT_BOMBS.values()]
    cells += [new_code_cell(source) for source in CODE_BOMBS.values()]
    cells += [new_code_cell("1", outputs=[new_output("stream", text=300_000 * "\x1b[31mx")])]
    cells = [deepcopy(cell) for _ in range(times) for cell in cells]
    notebook = NotebookNode(nbformat=4, nbformat_minor=5, metadata={}, cells=cells)
    notebook, resources = KeepWhatIsShown().preprocess(notebook, {})
    resources["allowance"].seconds = 2
    with cpu_seconds(30):
        pages = [
            (markdown_to_html if cell.cell_type == "markdown" else highlight_code)(
                {"cell": cell, "resources": resources}, cell.source
            )
            for cell in notebook.cells
        ]
    assert sum(map(len, pages)) < 20_000_000
    assert "more characters, which are not shown here" in notebook.cells[-1].outputs[0].text


def test_a_long_text_is_cut_with_a_word_and_a_picture_too_large_is_named():
    large = drawn("PNG", 9_000, 9_000)
    picture = new_output("display_data", {"image/png": large, "text/plain": "x"})
    attached = new_markdown_cell("![a](attachment:a.png)", attachments={"a.png": {"image/png": large}})
    notebook = nbformat.v4.new_notebook(
        cells=[new_markdown_cell(2 * LONGEST_SHOWN * "x"), new_code_cell("", outputs=[picture]), attached]
    )
    notebook, _ = KeepWhatIsShown().preprocess(notebook, {})
    text, code, without = notebook.cells
    assert text.source.endswith(f"x\n(… and {LONGEST_SHOWN:,} more characters, which are not shown here)")
    assert code.outputs[0].data == {
        "text/plain": "(This picture cannot be shown here: it is none, or too large.)"
    }
    assert without.attachments == {}
    assert "no picture: attachment:a.png" in markdown_to_html({"cell": without}, without.source)


def test_a_students_name_is_text_in_formgraders_page():
    name = "<img src=x onerror=alert(1)>"
    _, resources = KeepWhatIsShown().preprocess(nbformat.v4.new_notebook(), {"student": name})
    assert resources["student"] == "&lt;img src=x onerror=alert(1)&gt;"


def test_in_a_page_many_pictures_share_what_it_may_take():
    pictures = [new_output("display_data", {"image/png": drawn("PNG", 5_000, 4_000)}) for _ in range(9)]
    notebook = nbformat.v4.new_notebook(cells=[new_code_cell("", outputs=pictures)])
    notebook, _ = KeepWhatIsShown().preprocess(notebook, {})
    kinds = [next(iter(output.data)) for output in notebook.cells[0].outputs]
    assert kinds == 5 * ["image/png"] + 4 * ["text/plain"]


@pytest.fixture
def browser_page(browser_path):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=[*CHROMIUM_OPTIONS, "--no-sandbox"]
        )
        yield browser.new_page()
        browser.close()


class Server:
    """What a page meets in Lab: its own address, nbgrader's scripts, its gradebook; all else is noted and refused."""

    def __init__(self, browser_page: Page, html: str) -> None:
        self.html, self.asked, self.saved = html, [], {}
        browser_page.route("**/*", self.answer)
        browser_page.goto(f"{LAB}/formgrader/submissions/s/")

    def answer(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        if not route.request.url.startswith(f"{LAB}/formgrader/"):
            self.asked.append(route.request.url)
            route.abort()
        elif path.startswith("/formgrader/static/"):
            route.fulfill(path=STATIC / path.removeprefix("/formgrader/static/"))
        elif path.startswith("/formgrader/api/"):
            self.answer_api(route, path.removeprefix("/formgrader/api/"))
        else:
            route.fulfill(body=self.html, content_type="text/html")

    def answer_api(self, route: Route, path: str) -> None:
        if route.request.method == "PUT":
            self.saved[path] = route.request.post_data_json
            route.fulfill(json=route.request.post_data_json)
        else:
            common = {"id": "7", "name": "q6", "max_score": 4, "auto_score": None, "manual_score": None}
            route.fulfill(
                json=[common | {"needs_manual_grade": True, "extra_credit": None, "manual_comment": None}]
            )


def without_policy(page):
    """Take the second lock off: what is cleaned must hold by itself."""
    return re.sub(r"<meta[^>]*Content-Security-Policy[^>]*>", "", page)


@pytest.mark.parametrize("locks", [without_policy, str], ids=["cleaned alone", "with the policy"])
def test_in_a_browser_a_hostile_page_runs_and_asks_for_nothing(pages, locks, browser_page):
    server = Server(browser_page, locks(pages[1]))
    for details in browser_page.locator("details").all():
        details.evaluate("element => { element.open = true }")
    for kind in ("mouseover", "click", "focus", "toggle"):
        browser_page.evaluate(
            "kind => document.querySelectorAll('#notebook-container *:not(a):not(button)')"
            ".forEach(element => element.dispatchEvent(new Event(kind)))",
            kind,
        )
    assert browser_page.evaluate("window.hacked") is None
    assert server.asked == []


def test_the_policy_lets_nothing_run_in_feedback(room, browser_page):
    page = feedback(room, "honest").replace(
        "</body>", f"<script>{RUN}</script><img src={EVIL} onerror={RUN}></body>", 1
    )
    server = Server(browser_page, page)
    assert browser_page.evaluate("window.hacked") is None
    assert server.asked == []
    browser_page.get_by_role("link", name="Question 5: both directions").click()
    assert browser_page.url.endswith("#q5-points")
    hint = browser_page.locator("details").first
    hint.locator("summary").click()
    assert hint.evaluate("element => element.open")
    above, below = (
        part.bounding_box() for part in browser_page.locator("math mfrac").first.locator("> *").all()
    )
    assert above["y"] + above["height"] <= below["y"] + 1, "a fraction is drawn as one"


def test_a_score_and_a_comment_are_saved_in_formgrader(room, monkeypatch, browser_page):
    errors = []
    browser_page.on("pageerror", lambda error: errors.append(error))
    server = Server(browser_page, formgrade(room, "hostile", monkeypatch))
    expect(browser_page.locator(".tabbable").first).to_be_focused()
    score = browser_page.locator("#q6")
    expect(score).to_have_class(re.compile("needs_manual_grade"))
    with browser_page.expect_response("**/api/grade/7"):
        score.fill("3")
        score.press("Tab")
    comment = browser_page.locator("#q6-comment")
    with browser_page.expect_response("**/api/comment/7"):
        comment.fill("Well said.")
        comment.blur()
    expect(browser_page.locator(".comment-saved").last).to_be_visible()
    assert server.saved["grade/7"]["manual_score"] == "3"
    assert server.saved["comment/7"]["manual_comment"] == "Well said."
    assert browser_page.evaluate("formgrader.loaded")
    assert errors == []


def test_feedback_holds_no_check_and_no_reference_solution(room):
    secret, model_answer = secrets_of(room.sets[NAME])
    assert len(secret) > 150
    assert model_answer
    for student in ("honest", "hostile"):
        text = BeautifulSoup(feedback(room, student), "html.parser").text
        assert not secret & set(threes(text))
        assert not [line for line in model_answer if line in text]
    assert "show_what_is_here" in BeautifulSoup(feedback(room, "honest"), "html.parser").text


def secrets_of(ours):
    """Three lines together of what decides and of the reference solutions; and the long lines of model answers."""
    checks = (ROOT / "solutions" / NAME / "checks.py").read_text(encoding="utf-8")
    solutions = {
        kind: [
            found
            for cell in ours.notebook.cells
            if cell.cell_type == kind
            for found in SOLUTION.findall(cell.source)
        ]
        for kind in ("code", "markdown")
    }
    secret = {three for text in (without_long_strings(checks), *solutions["code"]) for three in threes(text)}
    model_answer = BeautifulSoup(markdown_to_html({}, "\n".join(solutions["markdown"])), "html.parser").text
    return secret, [line for line in model_answer.splitlines() if len(line) > 60]


def threes(text):
    lines = plain(text)
    return zip(lines, lines[1:], lines[2:], strict=False)
