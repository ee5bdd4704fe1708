"""Headless Chromium over its DevTools pipe, with the standard library alone."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any


def chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One browser process; pages are opened with `page`."""

    def __init__(self) -> None:
        program = chromium()
        assert program is not None, "install chromium"
        self._folder = tempfile.mkdtemp(prefix="lacuna-browser-")
        self._from, there_in = os.pipe()
        there_out, self._to = os.pipe()
        # The browser reads from descriptor 3 and writes to descriptor 4.
        command = (
            f'exec 3<&{there_out} 4>&{there_in}; exec "{program}" --headless=new --no-sandbox --disable-gpu '
            f'--disable-dev-shm-usage --no-first-run --remote-debugging-pipe --user-data-dir="{self._folder}" about:blank'
        )
        self._process = subprocess.Popen(
            ["bash", "-c", command], pass_fds=(there_out, there_in), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(there_in)
        os.close(there_out)
        self._waiting = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=30)
        for end in (self._from, self._to):
            os.close(end)
        shutil.rmtree(self._folder, ignore_errors=True)

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Sends a command and waits for its answer; events that come first are kept."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self.events.append(answer)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._waiting:
            more = os.read(self._from, 1 << 16)
            assert more, "the browser went away"
            self._waiting += more
        line, _, self._waiting = self._waiting.partition(b"\0")
        return json.loads(line)

    def page(self, path: Path, *, width: int, dark: bool = False, scripts: bool = True) -> Page:
        return Page(self, path, width, dark, scripts)


class Page:
    """A local file in a tab of its own, as one reader would see it."""

    def __init__(self, browser: Browser, path: Path, width: int, dark: bool, scripts: bool) -> None:
        self._browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self._target = target
        self._session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.address = path.resolve().as_uri()
        self.call("Page.navigate", url=self.address)
        self._wait_for_load()

    def _wait_for_load(self) -> None:
        for _ in range(600):
            if self.events("Page.loadEventFired"):
                return
            self.call("Page.getFrameTree")
            time.sleep(0.05)
        raise AssertionError("the page did not load")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **parameters)

    def events(self, method: str) -> list[dict[str, Any]]:
        return [
            event["params"]
            for event in self._browser.events
            if event.get("sessionId") == self._session and event.get("method") == method
        ]

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression; works with scripts of the page switched off too."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def point_at(self, selector: str) -> None:
        """Scrolls to an element and moves the mouse over its middle."""
        x, y = self.ask(
            f"(() => {{const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center', behavior: 'instant'}});"
            "const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]})()"
        )
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector: str) -> None:
        self.point_at(selector)
        x, y = self.ask(
            f"(() => {{const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            "return [b.left + b.width / 2, b.top + b.height / 2]})()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, path: Path, height: int | None = None) -> None:
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": height or size["height"], "scale": 1}
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self) -> None:
        self._browser.call("Target.closeTarget", targetId=self._target)
