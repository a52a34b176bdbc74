#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of --format=html in a browser, as somebody uses it.

CUDA_LINT names the program, CUDA_LINT_CHROMIUM a browser if there is none on
PATH. Pictures of the pages are left in CUDA_LINT_PICTURES, if that is a folder.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest

import browser
import documents

ROOT = Path(__file__).resolve().parents[2]
LINT = Path(os.environ.get(
    "CUDA_LINT", ROOT / "build/dev/bin/cuda-lint")).resolve()
AXE = ROOT / "build/axe/axe.min.js"
PICTURES = os.environ.get("CUDA_LINT_PICTURES")
# Continuous integration has one, or it would not test what it says.
IN_CI = os.environ.get("CI")

DESKTOP, PHONE = (1280, 900), (375, 812)
SHOWN = "[...document.querySelectorAll('#problems > li')].filter(e => !e.hidden)"
OPEN_ALL = "document.querySelectorAll('details').forEach(e => e.open = true)"


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        program = browser.find()
        if not program and not IN_CI:
            raise unittest.SkipTest(
                "no page is looked at: install chromium, or name a browser in "
                "CUDA_LINT_CHROMIUM")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.browser = browser.Browser(program)
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.size(*DESKTOP)
        self.browser.theme("light")

    def make(self, name, document):
        """The address of the page of a report."""
        report = self.folder / f"{name}.json"
        report.write_text(json.dumps(document))
        page = self.folder / f"{name}.html"
        subprocess.run([LINT, "merge", report.name, "--format=html",
                        f"--output={page.name}", "--fail-on=never"],
                       cwd=self.folder, check=True, capture_output=True)
        return page.as_uri()

    def open(self, url):
        # Only a part of the address may change, which loads nothing.
        self.browser.load("about:blank")
        self.browser.load(url)
        self.assert_quiet()

    def some(self):
        return self.make("some", documents.many(self.folder, 3, 2, 4))

    def ask(self, expression):
        return self.browser.evaluate(expression)

    def shown(self):
        return self.ask(SHOWN + ".length")

    def address(self):
        return self.ask("location.hash")

    def assert_quiet(self):
        """Nothing was complained of, and nothing but the page was loaded."""
        self.assertEqual([], self.browser.complaints)
        self.assertEqual(1, len(self.browser.requests), self.browser.requests)

    def picture(self, name):
        if PICTURES:
            self.browser.screenshot(Path(PICTURES) / f"{name}.png")


class Use(Page):
    def test_search_narrows(self):
        self.open(self.some())
        self.assertEqual(24, self.shown())
        self.browser.key("/")
        self.browser.type("data7 ")
        self.assertEqual(1, self.shown())
        self.assertEqual("#q=data7", self.address())
        self.assertEqual("1 of 24 problems",
                         self.ask("document.querySelector('#shown').textContent"))
        self.browser.key("Escape")
        self.assertEqual((24, ""), (self.shown(), self.address()))
        self.assert_quiet()

    def test_search_is_of_all_words_in_any_case(self):
        url = self.some()
        self.open(url + "#q=KERNELS.CU+data7")
        self.assertEqual(1, self.shown())
        self.open(url + "#q=nothing+of+it")
        self.assertEqual(0, self.shown())

    def test_filters_are_in_the_address_and_stay(self):
        self.open(self.some())
        self.ask("document.querySelector('input[value=note]').click()")
        self.ask("""const check = document.querySelector('#check');
                    check.value = 'shared-bank-conflict';
                    check.dispatchEvent(new Event('input', {bubbles: true}))""")
        shown = self.shown()
        self.assertTrue(0 < shown < 12, shown)
        self.assertIn("level=error%2Cwarning", self.address())
        self.assertIn("check=shared-bank-conflict", self.address())
        self.browser.reload()
        self.assert_quiet()
        self.assertEqual(shown, self.shown())
        self.assertFalse(self.ask(
            "document.querySelector('input[value=note]').checked"))
        self.ask("document.querySelector('#all').click()")
        # The form is reset behind the event.
        self.ask("new Promise(done => setTimeout(done, 20))")
        self.assertEqual((24, ""), (self.shown(), self.address()))

    def test_an_address_that_names_what_is_not_there_shows_all(self):
        for words in ("file=nowhere.cu&check=none&x=1", "level=none"):
            self.open(self.some() + "#" + words)
            self.assertEqual(24, self.shown(), words)

    def test_keys(self):
        self.open(self.some())
        at = ("[...document.querySelectorAll('summary')]"
              ".indexOf(document.activeElement)")
        for key, there in (("j", 0), ("j", 1), ("j", 2), ("k", 1)):
            self.browser.key(key)
            self.assertEqual(there, self.ask(at), key)
        opened = "document.querySelectorAll('details.problem')[1].open"
        self.assertFalse(self.ask(opened))
        self.browser.key("Enter")
        self.assertTrue(self.ask(opened))
        self.browser.key("Escape")
        self.assertFalse(self.ask(opened))
        self.assertEqual(1, self.ask(at))
        # And letters that are typed are letters.
        self.browser.key("/")
        self.browser.type("jk/")
        self.assertEqual("jk/", self.ask("document.querySelector('#q').value"))

    def test_links_open_what_they_lead_to(self):
        self.open(self.some() + "#p5")
        self.assertTrue(self.ask("document.querySelector('#p5').open"))
        self.assertEqual(24, self.shown())
        self.ask("document.querySelector('#p5 a[href^=\"#k\"]').click()")
        self.ask("new Promise(done => setTimeout(done, 50))")
        self.assertTrue(self.ask(
            "document.getElementById(location.hash.slice(1)).open"))
        # Also what a filter hides.
        self.browser.evaluate("location.hash = '#q=data7'")
        self.ask("new Promise(done => setTimeout(done, 50))")
        self.assertEqual(1, self.shown())
        self.browser.evaluate("location.hash = '#p5'")
        self.ask("new Promise(done => setTimeout(done, 50))")
        self.assertEqual(24, self.shown())

    def test_the_theme_is_the_reader_s(self):
        self.open(self.some())
        back = "getComputedStyle(document.body).backgroundColor"
        light = self.ask(back)
        self.browser.theme("dark")
        dark = self.ask(back)
        self.assertNotEqual(light, dark)
        click = "document.querySelector('#theme').click()"
        self.ask(click)
        self.assertEqual(light, self.ask(back))
        self.browser.reload()
        self.assertEqual(light, self.ask(back))
        self.ask(click)
        self.browser.theme("light")
        self.assertEqual(dark, self.ask(back))
        self.ask(click)
        self.assertEqual(light, self.ask(back))
        self.assert_quiet()


class Looks(Page):
    def test_nothing_is_wider_than_the_window(self):
        self.open(self.some())
        self.ask(OPEN_ALL)
        for width, height in (DESKTOP, PHONE):
            self.browser.size(width, height, width < 500)
            self.assertLessEqual(
                self.ask("document.documentElement.scrollWidth"), width)
            for theme in ("light", "dark"):
                self.browser.theme(theme)
                self.picture(f"{width}-{theme}")
        self.assert_quiet()

    def test_pictures_are_drawn(self):
        self.open(self.some())
        self.ask(OPEN_ALL)
        sizes = self.ask("""[...document.querySelectorAll(
            'svg.map use, svg.curve .line')].map(e => e.getBBox().width)""")
        self.assertGreater(len(sizes), 24)
        self.assertGreater(min(sizes), 50)

    def test_axe_finds_nothing(self):
        if not AXE.exists() and not IN_CI:
            self.skipTest("axe looks at no page: run scripts/setup --tests")
        script = AXE.read_text(encoding="utf-8")
        self.open(self.some())
        self.ask(OPEN_ALL)
        self.ask(script + ";0")
        for width, height in (DESKTOP, PHONE):
            self.browser.size(width, height, width < 500)
            for theme in ("light", "dark"):
                self.browser.theme(theme)
                found = self.ask("""axe.run(document, {resultTypes: ['violations']})
                    .then(r => r.violations.map(v => v.id + ': ' + v.help + ': ' +
                        v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))))""")
                self.assertEqual([], found, (width, theme))


class Hostile(Page):
    def test_nothing_of_the_source_runs(self):
        self.open(self.make("hostile", documents.hostile(self.folder)))
        self.ask(OPEN_ALL)
        self.assertEqual(len(documents.HOSTILE), self.shown())
        self.assertIsNone(self.ask("window.harm"))
        self.assertEqual(1, self.ask("document.scripts.length"))
        self.assertEqual(0, self.ask("document.images.length"))
        self.assertIn(documents.HOSTILE[0],
                      self.ask("document.querySelector('#problems').textContent"))
        self.assertIn("<E9></pre><script>", self.ask(
            "[...document.querySelectorAll('pre')].map(e => e.textContent).join()"))
        for each in self.ask("[...document.querySelector('#check').options]"
                             ".map(e => e.value)"):
            self.ask(f"""const check = document.querySelector('#check');
                check.value = {json.dumps(each)};
                check.dispatchEvent(new Event('input', {{bubbles: true}}))""")
            self.browser.reload()
            self.assertEqual(1 if each else len(documents.HOSTILE),
                             self.shown(), each)
        self.assertIsNone(self.ask("window.harm"))
        self.assert_quiet()
        self.browser.size(*PHONE, phone=True)
        self.assertLessEqual(
            self.ask("document.documentElement.scrollWidth"), PHONE[0])

    def test_no_address_is_refused(self):
        url = self.make("hostile", documents.hostile(self.folder))
        for address in ("%", "%E9", "q=%", "<script>", "__proto__", "p99", "="):
            self.open(f"{url}#{address}")
        self.open(f"{url}#q=" + "a" * 5000)

    def test_the_policy_refuses_what_is_put_in(self):
        self.open(self.some())
        self.ask("""const script = document.createElement('script');
            script.textContent = 'window.harm = 1';
            document.body.append(script)""")
        self.assertIsNone(self.ask("window.harm"))
        self.assertTrue(any("Content Security Policy" in each
                            for each in self.browser.complaints))

    def test_it_is_whole_without_its_script(self):
        self.browser.ask("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.open(self.some())
            self.assertEqual(24, self.shown())
            self.assertTrue(self.ask("document.querySelector('#filters').hidden"))
        finally:
            self.browser.ask("Emulation.setScriptExecutionDisabled", value=False)


class Many(Page):
    def test_a_thousand_findings(self):
        url = self.make("many", documents.many(self.folder, 50, 5, 4))
        size = (self.folder / "many.html").stat().st_size
        self.assertLess(size, 3_000_000)
        self.open(url)
        self.assertEqual(1000, self.shown())
        self.browser.key("/")
        self.browser.type("data77")
        self.assertEqual(11, self.shown())


if __name__ == "__main__":
    ctest.main()
