# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Opens the page of an evaluation in headless Chromium: check_evaluation.py PAGE FOLDER"""

from browser_page import FOLDER, PAGE, check, look, opened, run


def use(browser):
    page, messages, requests = opened(browser)
    check(all(url == PAGE for url in requests), f"the page asks for {requests}")
    check(page.locator("script").count() == 0, "the page has a script")
    check(page.locator("img, video, object, iframe").count() == 0, "the page shows media")
    check(page.locator("svg[role=img] > title").count() == page.locator("svg").count() > 2, "each plot has a title")
    # A table that is wider than the page scrolls by itself, also without a pointer.
    tables = page.locator(".table")
    check(tables.count() > 3, f"{tables.count()} tables")
    check(all(each.get_attribute("tabindex") == "0" for each in tables.all()), "each table can be reached by Tab")
    check(not messages, f"messages {messages}")


def print_page(browser):
    page, _, _ = opened(browser)
    page.pdf(path=FOLDER / "evaluation.pdf")


if __name__ == "__main__":
    run(look, use, print_page)
