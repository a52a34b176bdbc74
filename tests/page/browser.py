#===- tests/page/browser.py - A browser, by its own protocol --------------===#
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Headless Chromium, spoken to in the DevTools protocol over two pipes: no
driver, no port and no package of another language is between a test and the
browser.
"""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 60  # Seconds for one answer, on a machine that builds besides.


def find():
    """The program, or None."""
    named = os.environ.get("CUDA_LINT_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page of one browser. What the page says on its console, throws, is
    refused by its policy or asks of the network is kept."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(prefix="cuda-lint-page-")
        commands_in, self.commands = os.pipe()
        self.answers, answers_out = os.pipe()
        shell = 'exec "$0" "$@" 3<&%d 4>&%d' % (commands_in, answers_out)
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", shell, program, "--headless=new",
             # In a container, and of a page that is our own.
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--disable-background-networking", "--disable-component-update",
             "--disable-sync", "--no-first-run", "--hide-scrollbars",
             "--force-color-profile=srgb", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}", "about:blank"],
            pass_fds=(commands_in, answers_out), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)
        os.close(commands_in)
        os.close(answers_out)
        self.rest = b""
        self.count = 0
        self.session = None
        self.complaints = []
        self.requests = []
        self.events = []
        target = self.ask("Target.createTarget", url="about:blank")
        self.session = self.ask("Target.attachToTarget", flatten=True,
                                targetId=target["targetId"])["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for end in (self.commands, self.answers):
            os.close(end)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.profile.cleanup()

    def receive(self, until):
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.answers], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise EOFError("the browser ended")
            self.rest += part
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def note(self, message):
        method, what = message["method"], message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            if what["type"] in ("error", "warning", "assert"):
                self.complaints.append(str(what["args"]))
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(what["exceptionDetails"]))
        elif method == "Log.entryAdded":
            if what["entry"]["level"] in ("error", "warning"):
                self.complaints.append(what["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append("a dialog: " + what["message"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(what["request"]["url"])
        self.events.append(method)

    def ask(self, method, **parameters):
        self.count += 1
        command = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            message = self.receive(until)
            if "method" in message:
                self.note(message)
            elif message["id"] == self.count:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def wait_for(self, event):
        until = time.monotonic() + PATIENCE
        while event not in self.events:
            message = self.receive(until)
            if "method" in message:
                self.note(message)

    def load(self, url):
        self.complaints, self.requests, self.events = [], [], []
        self.ask("Page.navigate", url=url)
        self.wait_for("Page.loadEventFired")

    def reload(self):
        self.complaints, self.requests, self.events = [], [], []
        self.ask("Page.reload")
        self.wait_for("Page.loadEventFired")

    def evaluate(self, expression):
        """The value of it; of a promise, what it promises."""
        # Not by the page's own means, which its policy forbids.
        result = self.ask("Runtime.evaluate", expression=expression,
                          awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def key(self, name):
        text = {"Enter": "\r"}.get(name, name if len(name) == 1 else "")
        code = {"Enter": 13, "Escape": 27, "Tab": 9}.get(
            name, ord(name.upper()) if len(name) == 1 else 0)
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=name,
                     windowsVirtualKeyCode=code,
                     **({"text": text} if kind == "keyDown" and text else {}))

    def type(self, text):
        for letter in text:
            self.key(letter)

    def size(self, width, height, phone=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width,
                 height=height, deviceScaleFactor=2 if phone else 1,
                 mobile=phone)

    def theme(self, name):
        self.ask("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": name}])

    def screenshot(self, path, whole=False):
        shot = self.ask("Page.captureScreenshot", format="png",
                        captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(shot["data"]))
