# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Opens a report in headless Chromium, and checks what a reader sees and does: check_page.py PAGE FOLDER"""

from browser_page import FOLDER, PAGE, check, look, opened, run

NAMES = "li[data-score]:visible h3"


def use(browser):
    page, messages, requests = opened(browser)
    check(all(url == PAGE or url.startswith("data:") for url in requests), f"the page asks for {requests}")
    all_names = page.locator(NAMES).all_inner_texts()
    check(len(all_names) == 10, f"{len(all_names)} entries")
    page.fill("input[type=search]", "PATTERN")
    check(len(page.locator(NAMES).all_inner_texts()) == 3, "the filter by name shows the patterns")
    check(page.locator("#shown").inner_text() == "3 of 10 files are shown.", "the filter says how many it shows")
    page.fill("input[type=search]", "")
    page.uncheck("[name=not-sensitive]")
    check(len(page.locator(NAMES).all_inner_texts()) == 4, "the filter by verdict leaves four")
    page.check("[name=not-sensitive]")
    page.select_option("select", "score")
    scores = page.eval_on_selector_all("#not-sensitive li[data-score]", "items => items.map(item => +item.dataset.score)")
    check(scores == sorted(scores, reverse=True), f"the order by score is {scores}")
    page.select_option("select", "found")
    check(page.locator(NAMES).all_inner_texts() == all_names, "the first order comes back")
    # Every link, control and summary can be reached by Tab.
    focusable = page.locator("a:visible, input:visible, select:visible, summary:visible").count()
    reached = set()
    for _ in range(focusable + 5):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("[...document.querySelectorAll('*')].indexOf(document.activeElement)"))
    check(len(reached) >= focusable, f"Tab reaches {len(reached)} of {focusable} elements")
    check(not messages, f"messages {messages}")


def print_page(browser):
    page, _, _ = opened(browser)
    page.emulate_media(media="print")
    colours = page.eval_on_selector_all(
        ".verdict", "items => items.map(item => getComputedStyle(item)).map(style => [style.color, style.backgroundColor])")
    check({tuple(pair) for pair in colours} == {("rgb(0, 0, 0)", "rgba(0, 0, 0, 0)")}, f"verdicts in print: {colours}")
    check(not page.locator("#controls").is_visible(), "controls are not printed")
    page.pdf(path=FOLDER / "report.pdf")


if __name__ == "__main__":
    run(look, use, print_page)
