# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""A page in headless Chromium: what each test of a page looks at."""

import sys
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

PAGE, FOLDER = Path(sys.argv[1]).resolve().as_uri(), Path(sys.argv[2])
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


def run(*tests):
    """Runs tests with the browser, and ends the program with 1 where one has failed."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for test in tests:
            test(chromium)
        chromium.close()
    sys.exit(f"{len(failures)} checks of the page failed." if failures else 0)
