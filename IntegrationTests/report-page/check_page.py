# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Opens a report in headless Chromium, and checks what a reader sees and does: check_page.py PAGE FOLDER"""

import sys
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

PAGE, FOLDER = Path(sys.argv[1]).resolve().as_uri(), Path(sys.argv[2])
NAMES = "li[data-score]:visible h3"
LOOKS = {
    "wide": {"viewport": {"width": 1280, "height": 900}},
    "narrow": {"viewport": {"width": 390, "height": 844}},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
}
failures = []


def check(holds, sentence):
    if not holds:
        failures.append(sentence)
        print(f"FAILED: {sentence}", flush=True)


def opened(browser, **options):
    """The page, with lists of its messages and of the addresses that it asks for."""
    page = browser.new_context(**options).new_page()
    messages, requests = [], []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(PAGE)
    return page, messages, requests


def look(browser):
    for name, options in LOOKS.items():
        # Axe is a script of its own, which the page itself does not allow.
        page, messages, _ = opened(browser, bypass_csp=True, **options)
        faults = [(fault["id"], fault["impact"], fault["nodes"][0]["html"][:80])
                  for fault in Axe().run(page).response["violations"] if fault["impact"] in ("serious", "critical")]
        check(not faults, f"{name}: {faults}")
        check(not messages, f"{name}: messages {messages}")
        width = page.evaluate("document.documentElement.scrollWidth")
        check(width <= options["viewport"]["width"], f"{name}: the page is {width} pixels wide")
        page.screenshot(path=FOLDER / f"{name}.png", full_page=True)


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


with sync_playwright() as playwright:
    chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    look(chromium)
    use(chromium)
    print_page(chromium)
    chromium.close()
sys.exit(f"{len(failures)} checks of the report page failed." if failures else 0)
