"""What a student does first: start the course, open a chapter, run it, move a slider."""

from playwright.sync_api import Locator, Page, expect


def notebook_in_front(page: Page, name: str) -> Locator:
    """Return the notebook `name` once it is the one in front."""
    expect(page.locator("#jp-main-dock-panel .lm-TabBar-tab.lm-mod-current")).to_have_text(name)
    return page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")


def run_all_cells(page: Page, notebook: Locator) -> None:
    """Run the notebook in front to its end; fail if a cell raises or warns."""
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle")
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    waiting = notebook.locator(".jp-InputPrompt", has_text="[*]")
    expect(waiting).not_to_have_count(0)
    expect(waiting).to_have_count(0, timeout=90_000)
    for kind in ("error", "stderr"):
        expect(notebook.locator(f"[data-mime-type='application/vnd.jupyter.{kind}']")).to_have_count(0)


def test_a_chapter_runs_and_its_figure_follows_the_slider(page: Page) -> None:
    start = notebook_in_front(page, "00_start_here.ipynb")
    start.locator("a[href*='02_attention.ipynb']").first.click()
    chapter = notebook_in_front(page, "02_attention.ipynb")
    run_all_cells(page, chapter)

    figure = chapter.locator(".widget-vbox", has=page.get_by_text("Sharpness β", exact=True))
    picture = figure.locator("img.course-figure")
    slider = figure.locator(".widget-slider", has_text="Sharpness β").get_by_role("slider")
    words, pixels = picture.get_attribute("alt"), picture.get_attribute("src")
    assert words
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", "1.3")
    expect(picture).not_to_have_attribute("alt", words)
    assert picture.get_attribute("src") != pixels, "the words changed and the picture did not"
