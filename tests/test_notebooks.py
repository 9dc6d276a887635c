"""What holds for every notebook as it is stored; that its cells give these outputs is nbval's to check.

`faults` finds what is wrong with a notebook. It is run on all of them, and on copies into which a fault was put.
"""

import ast
import html
import re
from collections.abc import Callable, Iterator
from importlib import metadata
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from course_lib.chapters.facts import wrong_numbers
from course_lib.figures.page import BUNDLE
from course_lib.figures.palette import FORMULA

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
DEEPER = sorted((FOLDER / "deeper").glob("*.ipynb"))
SECOND_EDITION = {  # the chapters told anew; how many minutes their cells run
    "01_why_attention": 0.3,
    "02_attention": 0.35,
    "03_fuzzy_dictionary": 0.35,
    "04_self_attention": 0.3,
    "05_cross_and_multi_head": 0.25,
    "06_positional_encoding": 0.3,
    "11_claims_revisited": 0.4,
    "09_transformer": 0.35,
    "08_masking": 0.35,
    "07_feed_forward": 0.35,
    "10_translation": 0.4,
    "12_to_today": 0.8,
    "13_fast": 0.4,
    "14_looking_inside": 0.4,
}
START_PAGE, SETUP_PAGE = FOLDER / "00_start_here.ipynb", FOLDER / "00_setup.ipynb"
CHAPTERS = [path for path in NOTEBOOKS if path not in (START_PAGE, SETUP_PAGE)]

LONGEST_CELL = 25
MOST_WORDS, MOST_CELLS, MOST_MINUTES, LONGEST_SHOWING = 2500, 40, 35, 10  # of a core path
MOST_WORDS_AT_THE_START = 900
LARGEST_FILE = 1_500_000  # bytes
VIEW = "application/vnd.jupyter.widget-view+json"
MACHINE = re.compile(
    r"(?<![\w.:/])/(?:home|root|Users|work|tmp|opt|usr|var|mnt|private)/|[A-Z]:\\\w|\bat 0x[0-9a-f]{6,}"
)
AMERICAN = re.compile(
    r"(?i)\b\w*(?:color|behavior|neighbor|center(?!ed)|(?:normal|optim|general|visual|recogn|real|minim)iz)\w*"
)
DATA = re.compile(r"data:image/(?:png|svg\+xml);base64,[\w+/=]*")
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
HEADING = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)
FENCE = re.compile(r"```.*?```", re.DOTALL)


def cells(notebook: NotebookNode, kind: str) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def prose(notebook: NotebookNode) -> str:
    return "\n\n".join(FENCE.sub("", cell.source) for cell in cells(notebook, "markdown"))


def outputs(notebook: NotebookNode) -> Iterator[NotebookNode]:
    for cell in cells(notebook, "code"):
        yield from cell.outputs


def shown(output: NotebookNode) -> str:
    """All text of an output, without the bytes of pictures."""
    texts = [output.get("text", ""), *(v for k, v in output.get("data", {}).items() if k.startswith("text/"))]
    return DATA.sub("", "\n".join(texts))


def without_magics(source: str) -> ast.Module:
    return ast.parse(re.sub(r"^\s*[%!].*$", "", source, flags=re.MULTILINE))


# ---- One function a property; each yields what is wrong ----


def stored_with_all_outputs(notebook: NotebookNode, path: Path) -> Iterator[str]:
    counts = [cell.execution_count for cell in cells(notebook, "code")]
    if counts != list(range(1, len(counts) + 1)):
        yield f"not run once from top to bottom: cells are numbered {counts}"
    for output in outputs(notebook):
        if output.output_type == "error":
            yield f"a cell ends in {output.ename}"
        if output.get("name") == "stderr" or "Warning:" in shown(output):
            yield f"a warning is stored: {shown(output)[:60]!r}"


def short_cells(notebook: NotebookNode, path: Path) -> Iterator[str]:
    for cell in cells(notebook, "code"):
        n_lines = len(cell.source.splitlines())
        if n_lines > LONGEST_CELL:
            yield f"a cell has {n_lines} lines: {cell.source[:40]!r}"


def headings_in_order(notebook: NotebookNode, path: Path) -> Iterator[str]:
    levels = [len(marks) for marks, _ in HEADING.findall(prose(notebook))]
    if levels.count(1) != 1 or levels[0] != 1:
        yield f"{levels.count(1)} headings of level 1, expected one, at the top"
    for upper, lower in pairwise(levels):
        if lower > upper + 1:
            yield f"a heading of level {lower} follows one of level {upper}"


def tells_nothing_of_the_machine(notebook: NotebookNode, path: Path) -> Iterator[str]:
    texts = [shown(output) for output in outputs(notebook)] + [cell.source for cell in notebook.cells]
    for found in filter(None, map(MACHINE.search, texts)):
        yield f"a path or address of a machine: {found.string[found.start() :][:40]!r}"
    if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        yield "the kernel is not python3"
    language = notebook.metadata.get("language_info", {})
    if language.get("name") != "python":
        yield "the metadata do not say that the language is Python: begin with a copy of another chapter"
    if set(notebook.metadata) - {"kernelspec", "language_info"} or set(language) - {"name"}:
        yield f"more metadata than needed: {sorted(notebook.metadata)}, {sorted(language)}"
    for cell in notebook.cells:
        if set(cell.metadata) - {"tags", "jupyter"}:
            yield f"a cell carries metadata {sorted(cell.metadata)}"
    if any(VIEW in output.get("data", {}) for output in outputs(notebook)):
        yield "a widget view is stored, which only the kernel that made it can show"
    if any(
        "courseFigures" in text for output in outputs(notebook) for text in output.get("data", {}).values()
    ):
        yield "the bundle of the figures is stored: it comes with the package"
    if path.exists() and path.stat().st_size > LARGEST_FILE:
        yield f"the file has {path.stat().st_size} bytes"


def pictures_in_words(notebook: NotebookNode, path: Path) -> Iterator[str]:
    for output in outputs(notebook):
        data = output.get("data", {})
        if any(kind.startswith("image/") for kind in data):
            yield "a picture is stored as a file of its own, for which JupyterLab has no alternative text"
        if '<img class="course-figure"' in data.get("text/html", ""):
            words = data.get("text/plain", "")
            if len(words) < 30 or f'alt="{html.escape(words)}"' not in data["text/html"]:
                yield f"a picture without alternative text in both its forms: {words!r}"
        if any(' alt="' not in tag for tag in re.findall(r"<img[^>]*>", data.get("text/html", ""))):
            yield "an <img> in an output without alternative text"
    for tag in re.findall(r"<img[^>]*>|!\[\s*\]\([^)]*\)", prose(notebook)):
        if not re.search(r'alt="[^"]+"', tag):
            yield f"an image in the text without alternative text: {tag[:60]}"


def own_seeds(notebook: NotebookNode, path: Path) -> Iterator[str]:
    """Each cell that draws numbers has a seeded generator of its own: no global state, no unseeded draw."""
    drawing = re.compile(r"torch\.(rand|randn|randint|randperm|normal|bernoulli|multinomial)(_like)?")
    for cell in cells(notebook, "code"):
        for call in (node for node in ast.walk(without_magics(cell.source)) if isinstance(node, ast.Call)):
            name = ast.unparse(call.func)
            keywords = {keyword.arg for keyword in call.keywords}
            if name.endswith("default_rng") and not (call.args or keywords):
                yield "default_rng() without a seed"
            elif re.fullmatch(r"(np|numpy)\.random\.\w+", name) and not name.endswith("default_rng"):
                yield f"{name} draws from NumPy's global state"
            elif re.fullmatch(r"random\.\w+", name) and name != "random.Random":
                yield f"{name} draws from Python's global state"
            elif drawing.fullmatch(name) and "generator" not in keywords:
                yield f"{name} without generator="
            elif re.fullmatch(r"torch\.(\w+\.)*manual_seed(_all)?", name):  # torch.Generator() has its own
                yield f"{name} sets torch's global state"


def numbers_in_sentences_are_those_of_cells(notebook: NotebookNode, path: Path) -> Iterator[str]:
    yield from wrong_numbers(prose(notebook), "\n".join(map(shown, outputs(notebook))))


def formulas_have_colours_for_light_and_dark(notebook: NotebookNode, path: Path) -> Iterator[str]:
    for colour in set(re.findall(r"\\color\{(#\w+)\}", prose(notebook))) - set(FORMULA.values()):
        yield f"a formula in {colour}, which is none of the palette's for formulas"


def links_lead_somewhere(notebook: NotebookNode, path: Path) -> Iterator[str]:
    tables = [
        output.data["text/markdown"]
        for output in outputs(notebook)
        if "text/markdown" in output.get("data", {})
    ]
    for target in LINK.findall("\n".join([prose(notebook), *tables])):
        if "://" not in target and not (path.parent / target).exists():
            yield f"a link to {target}, which is not there"


def backslashes_kept(notebook: NotebookNode, path: Path) -> Iterator[str]:
    r"""A \text written in a Python string without its r becomes a tab and "ext"."""
    for cell in notebook.cells:
        for found in re.findall(r"[^\n\x20-\x7e\x80-\U0010ffff].{0,12}", cell.source):
            yield f"a control character: {found!r}"


def british_spelling(notebook: NotebookNode, path: Path) -> Iterator[str]:
    """In what the course says itself: code, formulas, addresses, titles of works and quotations are as they are."""
    left_out = r"(?m:^> .*$)|`[^`]*`|\$\$[^$]*\$\$|\$[^$]*\$|\([^)]*\.\w+\)|\*[^*\n]+\* \(\d{4}\)"
    for word in AMERICAN.findall(re.sub(left_out, "", prose(notebook))):
        yield f"American spelling: {word}"


def no_cell_is_left_out(notebook: NotebookNode, path: Path) -> Iterator[str]:
    for cell in cells(notebook, "code"):
        skipped = {"nbval-skip", "skip-execution", "raises-exception"} & set(cell.metadata.get("tags", []))
        if skipped:
            yield f"a cell is tagged {skipped}, so that nothing checks it"


def is_deeper(path: Path) -> bool:
    return path.parent.name == "deeper"


def is_core(path: Path) -> bool:
    return path.stem in SECOND_EDITION and not is_deeper(path)


def spoken(notebook: NotebookNode) -> list[str]:
    """Return the words a reader reads: a formula is one, an address and a marker are none."""
    text = re.sub(
        r"<[^>]*>|\]\([^)]*\)", " ", re.sub(r"\$\$.*?\$\$|\$[^$]*\$", " x ", prose(notebook), flags=re.DOTALL)
    )
    return re.findall(r"\w[\w’'-]*", text)


def is_prediction(cell: NotebookNode) -> bool:
    return "Prediction(" in cell.source or ".reveal(" in cell.source


def n_figures(notebook: NotebookNode) -> int:
    """Count the cells that show a figure to look at, predictions aside."""
    pictures = (
        '<img class="course-figure"' in shown(o)
        for c in cells(notebook, "code")
        if not is_prediction(c)
        for o in c.outputs
    )
    return sum(pictures)


def a_core_path_is_short(notebook: NotebookNode, path: Path) -> Iterator[str]:
    if not is_core(path):
        return
    words, code = len(spoken(notebook)), cells(notebook, "code")
    minutes = words / 180 + 0.5 * len(code) + 1.5 * n_figures(notebook) + SECOND_EDITION[path.stem]
    if words > MOST_WORDS:
        yield f"{words} words, expected {MOST_WORDS} at most"
    if len(notebook.cells) > MOST_CELLS:
        yield f"{len(notebook.cells)} cells, expected {MOST_CELLS} at most"
    if minutes > MOST_MINUTES:
        yield f"{minutes:.1f} minutes, expected {MOST_MINUTES} at most"
    for cell in code:
        n_lines = len(cell.source.splitlines())
        folded = cell.metadata.get("jupyter", {}).get("source_hidden")
        if cell.outputs and not folded and n_lines > LONGEST_SHOWING:
            yield f"a cell that shows has {n_lines} lines: {cell.source[:40]!r}"


def a_core_path_lets_the_reader_act(notebook: NotebookNode, path: Path) -> Iterator[str]:
    if not is_core(path):
        return
    code = cells(notebook, "code")
    source = "\n".join(cell.source for cell in code)
    titles = [title for _, title in HEADING.findall(prose(notebook))]
    guesses = re.findall(r"^(\w+) = Prediction\(", source, flags=re.MULTILINE)
    if len(guesses) < 2:
        yield f"{len(guesses)} predictions, expected 2 or more"
    for name in guesses:
        reveals = [cell for cell in code if f"{name}.reveal(" in cell.source]
        if not reveals:
            yield f"what was predicted as {name} is not revealed"
        elif not all(cell.metadata.get("jupyter", {}).get("outputs_hidden") for cell in reveals):
            yield f"the answer to {name} is not folded"
    tries = sum(title.startswith("Try it") for title in titles)
    if not 2 <= tries <= 3 or source.count("# ← change me") < tries:
        yield f"{tries} 'Try it' headings, expected 2 or 3, each with a marked cell"
    if "Summary" not in titles:
        yield "no section 'Summary'"
    _, _, sources = prose(notebook).partition("## Where this comes from")
    if not 5 <= len(re.findall(r"\*[^*]+\* \(\d{4}\)", sources)) <= 20 or "known result" not in sources:
        yield "'Where this comes from' does not name five works with their years, and what is known"
    if not re.search(r"\bps\d\d\b", sources):
        yield "no way to the problem set"
    first = [
        cell for cell in notebook.cells[:4] if "course-figure" in "".join(map(shown, cell.get("outputs", [])))
    ]
    if not first:
        yield "no figure in the first screen"


def a_start_page_is_short_and_shows_how_it_goes(notebook: NotebookNode, path: Path) -> Iterator[str]:
    """The first page is a figure to use, a guess worth making and the map; it explains little."""
    if path != START_PAGE:
        return
    words, code = len(spoken(notebook)), cells(notebook, "code")
    if words > MOST_WORDS_AT_THE_START:
        yield f"{words} words, expected {MOST_WORDS_AT_THE_START} at most"
    if '<img class="course-figure"' not in "".join(map(shown, notebook.cells[1].get("outputs", []))):
        yield "the page does not open with a figure"
    reveals = [cell for cell in code if ".reveal(" in cell.source]
    if not reveals or not all(cell.metadata.get("jupyter", {}).get("outputs_hidden") for cell in reveals):
        yield "nothing to predict whose answer is folded"
    if not any("# ← change me" in cell.source for cell in code):
        yield "nothing to try"
    if any(len(c.source.splitlines()) > LONGEST_SHOWING and not c.metadata.get("jupyter") for c in code):
        yield "a cell that shows is long"


CHECKS: list[Callable[[NotebookNode, Path], Iterator[str]]] = [
    stored_with_all_outputs,
    short_cells,
    headings_in_order,
    tells_nothing_of_the_machine,
    pictures_in_words,
    own_seeds,
    formulas_have_colours_for_light_and_dark,
    links_lead_somewhere,
    numbers_in_sentences_are_those_of_cells,
    backslashes_kept,
    british_spelling,
    no_cell_is_left_out,
    a_core_path_is_short,
    a_core_path_lets_the_reader_act,
    a_start_page_is_short_and_shows_how_it_goes,
]


def faults(notebook: NotebookNode, path: Path) -> list[str]:
    return [fault for check in CHECKS for fault in check(notebook, path)]


def read(path: Path) -> NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


@pytest.mark.parametrize("path", [*NOTEBOOKS, *DEEPER], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_notebook_has_no_fault(path):
    assert faults(read(path), path) == []


def test_the_start_page_and_all_chapters_are_there():
    assert {START_PAGE, SETUP_PAGE} <= set(NOTEBOOKS)
    assert [path.name[:2] for path in CHAPTERS] == [f"{number:02d}" for number in range(1, len(CHAPTERS) + 1)]


# ---- Each check finds what it is for ----


def set_source(kind: str, text: str, position: int = 1) -> Callable[[NotebookNode], None]:
    def change(notebook: NotebookNode) -> None:
        cells(notebook, kind)[position].source = text

    return change


def add_output(**output: object) -> Callable[[NotebookNode], None]:
    def change(notebook: NotebookNode) -> None:
        cells(notebook, "code")[1].outputs = [nbformat.v4.new_output(**output)]

    return change


def in_metadata(**changes: object) -> Callable[[NotebookNode], None]:
    return lambda notebook: notebook.metadata.update(changes)


def picture(notebook: NotebookNode) -> NotebookNode:
    return next(
        output for output in outputs(notebook) if "<img" in output.get("data", {}).get("text/html", "")
    )


def cell_with(notebook: NotebookNode, text: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if text in cell.source)


def replace(old: str, new: str) -> Callable[[NotebookNode], None]:
    def change(notebook: NotebookNode) -> None:
        for cell in notebook.cells:
            cell.source = cell.source.replace(old, new)

    return change


FAULTS: list[tuple[str, Callable[[NotebookNode], None]]] = [
    ("not run once", lambda nb: cells(nb, "code")[3].update(execution_count=99)),
    ("not run once", lambda nb: cells(nb, "code")[-1].update(execution_count=None)),
    ("ends in ValueError", add_output(output_type="error", ename="ValueError", evalue="", traceback=[])),
    ("a warning is stored", add_output(output_type="stream", name="stderr", text="9%|█")),
    ("a warning is stored", add_output(output_type="stream", name="stdout", text="x.py:1: UserWarning: old")),
    ("a cell has 26 lines", set_source("code", "x = 1\n" * 26)),
    ("a formula in #1763b8", set_source("markdown", r"$\color{#1763b8}{q}$")),
    ("2 headings of level 1", set_source("markdown", "# Another title")),
    ("0 headings of level 1", set_source("markdown", "## No title", 0)),
    ("a heading of level 4 follows", set_source("markdown", "#### Deep")),
    ("a path or address", add_output(output_type="stream", name="stdout", text="in /home/someone/course")),
    ("a path or address", add_output(output_type="stream", name="stdout", text="<Thing at 0x7f00aa11bb22>")),
    ("a path or address", set_source("code", "open('/tmp/x.txt')")),
    ("the kernel is not python3", in_metadata(kernelspec={"name": "mine", "display_name": "Mine"})),
    ("do not say that the language is", lambda nb: nb.metadata.pop("language_info")),
    ("more metadata than needed", in_metadata(widgets={})),
    ("more metadata than needed", in_metadata(language_info={"name": "python", "version": "3.11.2"})),
    ("a cell carries metadata", lambda nb: nb.cells[0].metadata.update(execution={})),
    ("a widget view is stored", lambda nb: picture(nb).data.update({VIEW: {}})),
    (
        "the bundle of the figures",
        add_output(output_type="display_data", data={"text/html": BUNDLE.read_text()}),
    ),
    ("a picture without", lambda nb: picture(nb).data.pop("text/plain")),
    ("a picture without", lambda nb: picture(nb).data.update({"text/plain": "A picture. " * 9})),
    ("a picture is stored as a file", lambda nb: picture(nb).data.update({"image/png": "iVBORw0KGgo="})),
    (
        "an <img> in an output",
        add_output(output_type="display_data", data={"text/html": "<img src='x.png'>"}),
    ),
    ("an image in the text", set_source("markdown", "![](picture.png)")),
    ("an image in the text", set_source("markdown", '<img src="picture.png" alt="">')),
    ("default_rng() without a seed", set_source("code", "np.random.default_rng()")),
    ("np.random.randn draws", set_source("code", "%time\nnp.random.randn(3)")),
    ("np.random.seed draws", set_source("code", "np.random.seed(3)")),
    ("random.choice draws", set_source("code", "random.choice([1, 2])")),
    ("torch.randn without generator=", set_source("code", "torch.randn(3)")),
    ("torch.manual_seed sets", set_source("code", "torch.manual_seed(3)")),
    ("torch.cuda.manual_seed_all sets", set_source("code", "torch.cuda.manual_seed_all(3)")),
    ("a link to 99_nowhere.ipynb", set_source("markdown", "[next](99_nowhere.ipynb#top)")),
    (r"a control character: '\text{and}", set_source("markdown", "$a \text{and} b$")),
    ("94 % is named nothing", set_source("markdown", "It is 94 %<!-- nothing -->.")),
    ("American spelling: colors", set_source("markdown", "The colors")),
    ("American spelling: normalized", set_source("markdown", "It is normalized.")),
    ("a cell is tagged {'nbval-skip'}", lambda nb: cells(nb, "code")[2].metadata.update(tags=["nbval-skip"])),
]


@pytest.mark.parametrize(("fault", "put_in"), FAULTS)
def test_a_fault_put_into_a_chapter_is_found(fault, put_in):
    path = FOLDER / "02_attention.ipynb"
    notebook = read(path)
    put_in(notebook)
    assert any(fault in found for found in faults(notebook, path))


def fold_out(notebook: NotebookNode) -> None:
    for cell in cells(notebook, "code"):
        cell.metadata.pop("jupyter", None)


def more_of(kind: str, n: int, text: str) -> Callable[[NotebookNode], None]:
    new = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}[kind]
    return lambda notebook: notebook.cells.extend(new(text) for _ in range(n))


FAULTS_OF_A_CORE_PATH: list[tuple[str, Callable[[NotebookNode], None]]] = [
    ("words, expected 2500", more_of("markdown", 1, "word " * 2501)),
    ("cells, expected 40", more_of("markdown", 41, "word")),
    ("minutes, expected 35", more_of("code", 20, "x = 1")),
    ("a cell that shows has", fold_out),
    ("a cell that shows has", lambda nb: picture_cell(nb).update(source="x = 1\n" * 11)),
    ("predictions, expected 2", replace("Prediction(", "Question(")),
    ("predicted as spain is not revealed", replace("spain.reveal(", "print(")),
    ("the answer to spain is not folded", lambda nb: cell_with(nb, "spain.reveal(").metadata.clear()),
    ("'Try it' headings, expected 2", replace("### Try it", "### Something")),
    ("'Try it' headings, expected 2", replace("# ← change me", "#")),
    ("no section 'Summary'", replace("## Summary", "## In short")),
    ("'Where this comes from' does not", replace("## Where this comes from", "## Thanks")),
    ("'Where this comes from' does not", replace("known result", "result")),
    ("no way to the problem set", replace("ps03", "these")),
    ("no figure in the first screen", lambda nb: nb.cells[2].update(outputs=[])),
    ("is named french", replace("0.95<!-- french", "0.59<!-- french")),
]


def picture_cell(notebook: NotebookNode) -> NotebookNode:
    return next(
        cell for cell in cells(notebook, "code") if "course-figure" in "".join(map(shown, cell.outputs))
    )


@pytest.mark.parametrize(("fault", "put_in"), FAULTS_OF_A_CORE_PATH)
def test_a_fault_put_into_a_core_path_is_found(fault, put_in):
    path = FOLDER / "03_fuzzy_dictionary.ipynb"
    notebook = read(path)
    put_in(notebook)
    assert any(fault in found for found in faults(notebook, path))


def test_a_deeper_notebook_belongs_to_a_chapter_that_links_to_it():
    """The chapter of its number: a chapter may have several."""
    for path in DEEPER:
        (chapter,) = FOLDER.glob(f"{path.name[:2]}_*.ipynb")
        assert f"](deeper/{path.name}" in prose(read(chapter))


def test_a_wrong_link_in_a_deeper_notebook_is_found():
    path = DEEPER[0]
    notebook = read(path)
    set_source("markdown", "[back](03_nowhere.ipynb)")(notebook)
    assert any("a link to 03_nowhere.ipynb" in found for found in faults(notebook, path))


def test_a_seeded_generator_of_its_own_is_no_fault():
    notebook = read(FOLDER / "02_attention.ipynb")
    set_source("code", "torch.randn(3, generator=torch.Generator().manual_seed(3))")(notebook)
    assert list(own_seeds(notebook, FOLDER / "02_attention.ipynb")) == []


def test_a_file_that_is_too_large_is_found(tmp_path):
    path = tmp_path / "02_attention.ipynb"
    path.write_bytes(b" " * (LARGEST_FILE + 1))
    assert any("bytes" in found for found in tells_nothing_of_the_machine(read(FOLDER / path.name), path))


# ---- The start page ----


def map_of_the_course(notebook: NotebookNode) -> list[tuple[str, str]]:
    """Return the number and the chapter of each row of the map."""
    _, _, after = prose(notebook).partition("## The map")
    return re.findall(
        r"^\| \*\*(\d\d)\*\* \| \*\*\[[^\]]+\]\((\S+)\)\*\* .+<br>\*.+\* \|$", after, re.MULTILINE
    )


def test_the_start_page_s_map_has_the_chapters_that_are_there_and_no_others():
    assert map_of_the_course(read(START_PAGE)) == [(path.name[:2], path.name) for path in CHAPTERS], (
        "the map has a row for each chapter: its number, its title as a link, a question, a finding in italics"
    )


def test_a_chapter_that_is_missing_in_the_map_is_noticed():
    notebook = read(START_PAGE)
    replace("**[Masking]", "[Masking]")(notebook)
    assert "08_masking.ipynb" not in dict(map_of_the_course(notebook)).values()


def test_the_picture_of_the_pieces_names_every_chapter():
    told = "".join(
        o.data["text/plain"] for o in outputs(read(START_PAGE)) if "What you will build" in shown(o)
    )
    assert set(re.findall(r"\b\d\d\b(?!,\d)", told)) == {path.name[:2] for path in CHAPTERS}


START_FAULTS: list[tuple[str, Callable[[NotebookNode], None]]] = [
    ("words, expected 900", more_of("markdown", 1, "word " * 901)),
    ("does not open with a figure", lambda nb: nb.cells.pop(1)),
    ("nothing to predict", lambda nb: cell_with(nb, ".reveal(").metadata.clear()),
    ("nothing to try", replace("# ← change me", "#")),
    ("a cell that shows is long", more_of("code", 1, "x = 1\n" * 11)),
]


@pytest.mark.parametrize(("fault", "put_in"), START_FAULTS)
def test_a_fault_put_into_the_start_page_is_found(fault, put_in):
    notebook = read(START_PAGE)
    put_in(notebook)
    assert any(fault in found for found in faults(notebook, START_PAGE))


# ---- The page of the set-up ----


@pytest.mark.parametrize("path", NOTEBOOKS + DEEPER, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_links_into_the_set_up_page_meet_a_heading(path):
    headings = {title.strip().replace(" ", "-") for _, title in HEADING.findall(prose(read(SETUP_PAGE)))}
    found = set(re.findall(r"\]\((?:\.\./)?00_setup\.ipynb#([^)]+)\)", prose(read(path))))
    if path == SETUP_PAGE:
        found |= set(re.findall(r"\]\(#([^)]+)\)", prose(read(path))))
        assert len(found) >= 4
    assert found <= headings


def run_environment_check(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """Run the set-up page's check as if it lay in `folder`/notebooks; return what it prints."""
    (folder / "notebooks").mkdir()
    monkeypatch.chdir(folder / "notebooks")
    namespace: dict[str, object] = {}
    checks = [
        c for c in cells(read(SETUP_PAGE), "code") if "nbval-ignore-output" in c.metadata.get("tags", [])
    ]
    assert len(checks) == 4
    for cell in checks:
        exec(cell.source, namespace)
    return capsys.readouterr().out


class TestEnvironmentCheck:
    def pinned(self, name: str) -> str:
        return metadata.version(name).split("+")[0]

    def test_finds_nothing_to_mend_where_nothing_is_wrong(self, tmp_path, monkeypatch, capsys):
        (tmp_path / "constraints.txt").write_text(
            f"# pins\nnumpy=={self.pinned('numpy')}\ntorch=={self.pinned('torch')}\n"
        )
        told = run_environment_check(tmp_path, monkeypatch, capsys)
        assert "✗" not in told
        for package in ("course-lib", "numpy", "torch", "jupyterlab", "nbgrader"):
            assert re.search(rf"^✓ {package} \d", told, re.MULTILINE)
        assert "✓ PyTorch computes" in told
        assert "✓ the kernel python3" in told

    def test_names_a_version_that_differs_with_the_remedy(self, tmp_path, monkeypatch, capsys):
        (tmp_path / "constraints.txt").write_text("numpy==0.0.1 ; python_version >= '3.11'\n")
        told = run_environment_check(tmp_path, monkeypatch, capsys)
        assert re.search(r"^○ numpy [\d.]+\n    → tested with 0\.0\.1; .*make clean lab", told, re.MULTILINE)

    def test_names_a_missing_package_and_a_missing_list_with_the_remedy(self, tmp_path, monkeypatch, capsys):
        real = metadata.version

        def version(name):
            if name == "tokenizers":
                raise metadata.PackageNotFoundError(name)
            return real(name)

        monkeypatch.setattr(metadata, "version", version)
        told = run_environment_check(tmp_path, monkeypatch, capsys)
        assert re.search(r"^✗ constraints\.txt.*\n    → .*make lab", told, re.MULTILINE)
        assert re.search(r"^✗ tokenizers is missing\n    → .*make lab.*make clean lab", told, re.MULTILINE)

    def test_calls_optional_tools_optional(self, tmp_path, monkeypatch, capsys):
        monkeypatch.setattr("shutil.which", lambda name: None)
        told = run_environment_check(tmp_path, monkeypatch, capsys)
        for tool in ("Chromium", "bubblewrap"):
            assert re.search(rf"^○ {tool}\n    → optional; .* {tool.lower()}$", told, re.MULTILINE)
