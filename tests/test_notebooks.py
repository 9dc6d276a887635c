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

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
START_PAGE = FOLDER / "00_start_here.ipynb"

LONGEST_CELL = 25
LARGEST_FILE = 3_000_000  # bytes
VIEW = "application/vnd.jupyter.widget-view+json"
GUESS = re.compile(r"^(\w+) = (.+?)  # ← your guess", re.MULTILINE)
MACHINE = re.compile(
    r"(?<![\w.:/])/(?:home|root|Users|work|tmp|opt|usr|var|mnt|private)/|[A-Z]:\\\w|\bat 0x[0-9a-f]{6,}"
)
AMERICAN = re.compile(
    r"(?i)\b\w*(?:color|behavior|neighbor|center(?!ed)|(?:normal|optim|general|visual|recogn|real|minim)iz)\w*"
)
DATA = re.compile(r"data:image/png;base64,[\w+/=]*")
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
    if set(notebook.metadata) - {"kernelspec", "language_info"} or set(notebook.metadata.language_info) - {
        "name"
    }:
        yield f"more metadata than needed: {sorted(notebook.metadata)}, {sorted(notebook.metadata.language_info)}"
    for cell in notebook.cells:
        if set(cell.metadata) - {"tags", "jupyter"}:
            yield f"a cell carries metadata {sorted(cell.metadata)}"
    if any(VIEW in output.get("data", {}) for output in outputs(notebook)):
        yield "a widget view is stored, which only the kernel that made it can show"
    if path.exists() and path.stat().st_size > LARGEST_FILE:
        yield f"the file has {path.stat().st_size} bytes"


def pictures_in_words(notebook: NotebookNode, path: Path) -> Iterator[str]:
    for output in outputs(notebook):
        data = output.get("data", {})
        if any(kind.startswith("image/") for kind in data):
            words = output.metadata.get("image/png", {}).get("alt", "")
            if (
                len(words) < 40
                or words != data.get("text/plain")
                or html.escape(words) not in data.get("text/html", "")
            ):
                yield f"a picture without alternative text in all its forms: {data.get('text/plain')!r}"
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
    for word in AMERICAN.findall(re.sub(r"`[^`]*`|\$[^$]*\$|\([^)]*\.\w+\)", "", prose(notebook))):
        yield f"American spelling: {word}"


def guesses_are_kept_and_not_given_away(notebook: NotebookNode, path: Path) -> Iterator[str]:
    code = cells(notebook, "code")
    for cell, following in zip(code, [*code[1:], None], strict=True):
        for name, guess in GUESS.findall(cell.source):
            if guess != "None":
                yield f"a guess is stored: {name} = {guess}"
            if following is None or not re.search(rf"\bcompare\({name}\b", following.source):
                yield f"the cell after the guess {name} does not compare it"
            elif not following.metadata.get("jupyter", {}).get("outputs_hidden"):
                yield f"the answer to {name} is not folded"
    for cell in code:
        skipped = {"nbval-skip", "skip-execution", "raises-exception"} & set(cell.metadata.get("tags", []))
        if skipped:
            yield f"a cell is tagged {skipped}, so that nothing checks it"


def lets_the_student_act(notebook: NotebookNode, path: Path) -> Iterator[str]:
    """All chapters that teach something new: something to try, to predict, to take along and to practise."""
    if path.name == START_PAGE.name or path.stem.endswith("claims_revisited"):
        return
    code = "\n".join(cell.source for cell in cells(notebook, "code"))
    titles = [title for _, title in HEADING.findall(prose(notebook))]
    tries = sum(title.startswith("Try it") for title in titles)
    if tries < 3 or code.count("# ← change me") < tries:
        yield f"{tries} 'Try it' headings and {code.count('# ← change me')} marked cells, expected 3 or more of both"
    if not GUESS.search(code):
        yield "nothing to predict"
    for title in ("Summary", "Exercises"):
        if title not in titles:
            yield f"no section {title!r}"
    if "assert " not in code:
        yield "nothing is asserted"


CHECKS: list[Callable[[NotebookNode, Path], Iterator[str]]] = [
    stored_with_all_outputs,
    short_cells,
    headings_in_order,
    tells_nothing_of_the_machine,
    pictures_in_words,
    own_seeds,
    links_lead_somewhere,
    backslashes_kept,
    british_spelling,
    guesses_are_kept_and_not_given_away,
    lets_the_student_act,
]


def faults(notebook: NotebookNode, path: Path) -> list[str]:
    return [fault for check in CHECKS for fault in check(notebook, path)]


def read(path: Path) -> NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_no_fault(path):
    assert faults(read(path), path) == []


def test_the_start_page_and_all_chapters_are_there():
    assert [path.name[:2] for path in NOTEBOOKS] == [f"{number:02d}" for number in range(len(NOTEBOOKS))]


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
    return next(output for output in outputs(notebook) if "image/png" in output.get("data", {}))


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
    ("2 headings of level 1", set_source("markdown", "# Another title")),
    ("0 headings of level 1", set_source("markdown", "## No title", 0)),
    ("a heading of level 4 follows", set_source("markdown", "#### Deep")),
    ("a path or address", add_output(output_type="stream", name="stdout", text="in /home/someone/course")),
    ("a path or address", add_output(output_type="stream", name="stdout", text="<Thing at 0x7f00aa11bb22>")),
    ("a path or address", set_source("code", "open('/tmp/x.txt')")),
    ("the kernel is not python3", in_metadata(kernelspec={"name": "mine", "display_name": "Mine"})),
    ("more metadata than needed", in_metadata(widgets={})),
    ("more metadata than needed", in_metadata(language_info={"name": "python", "version": "3.11.2"})),
    ("a cell carries metadata", lambda nb: nb.cells[0].metadata.update(execution={})),
    ("a widget view is stored", lambda nb: picture(nb).data.update({VIEW: {}})),
    ("a picture without", lambda nb: picture(nb).metadata.clear()),
    ("a picture without", lambda nb: picture(nb).data.pop("text/html")),
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
    ("American spelling: colors", set_source("markdown", "The colors")),
    ("American spelling: normalized", set_source("markdown", "It is normalized.")),
    ("a guess is stored: my_word = 'is'", replace("my_word = None", "my_word = 'is'")),
    ("does not compare it", replace("figures.compare(my_word, ", "print(")),
    ("the answer to my_word is not folded", lambda nb: cell_with(nb, "compare(my_word").metadata.clear()),
    ("a cell is tagged {'nbval-skip'}", lambda nb: cells(nb, "code")[2].metadata.update(tags=["nbval-skip"])),
    ("'Try it' headings", replace("### Try it", "### Something")),
    ("marked cells, expected", replace("# ← change me", "#")),
    ("nothing to predict", replace("# ← your guess", "#")),
    ("no section 'Summary'", replace("## Summary", "## In short")),
    ("no section 'Exercises'", replace("## Exercises", "## More")),
    ("nothing is asserted", replace("assert ", "print, ")),
]


@pytest.mark.parametrize(("fault", "put_in"), FAULTS)
def test_a_fault_put_into_a_chapter_is_found(fault, put_in):
    path = FOLDER / "02_attention.ipynb"
    notebook = read(path)
    put_in(notebook)
    assert any(fault in found for found in faults(notebook, path))


def test_a_seeded_generator_of_its_own_is_no_fault():
    notebook = read(FOLDER / "02_attention.ipynb")
    set_source("code", "torch.randn(3, generator=torch.Generator().manual_seed(3))")(notebook)
    assert list(own_seeds(notebook, FOLDER / "02_attention.ipynb")) == []


def test_a_file_that_is_too_large_is_found(tmp_path):
    path = tmp_path / "02_attention.ipynb"
    path.write_bytes(b" " * (LARGEST_FILE + 1))
    assert any("bytes" in found for found in tells_nothing_of_the_machine(read(FOLDER / path.name), path))


# ---- The start page ----


def test_the_start_page_links_to_the_chapters_that_are_there_and_to_no_others():
    (table,) = [
        o.data["text/markdown"] for o in outputs(read(START_PAGE)) if "text/markdown" in o.get("data", {})
    ]
    linked = LINK.findall(table)
    assert linked == [path.name for path in NOTEBOOKS if path != START_PAGE], "run the start page again"
    rows = table.splitlines()[2:]
    assert table.count("in preparation") + len(linked) == len(rows)
    assert [row[2:4] for row in rows] == [f"{number:02d}" for number in range(1, len(rows) + 1)]


def run_environment_check(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """Run the start page's check as if it lay in `folder`/notebooks; return what it prints."""
    (folder / "notebooks").mkdir()
    monkeypatch.chdir(folder / "notebooks")
    namespace: dict[str, object] = {"Path": Path}
    checks = [
        c for c in cells(read(START_PAGE), "code") if "nbval-ignore-output" in c.metadata.get("tags", [])
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
