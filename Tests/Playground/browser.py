"""A headless Chromium, driven over the WebDriver protocol with nothing but the standard library."""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ENTER = "\ue007"
TAB = "\ue004"
ARROWS = {"left": "\ue012", "up": "\ue013", "right": "\ue014", "down": "\ue015"}
START_SECONDS = 60
WAIT_SECONDS = 20


class Missing(Exception):
    """A program that the tests need is not installed."""


class WebDriverError(Exception):
    """What the driver answered instead of a value."""


def program(names):
    """The first of the programs that is installed."""
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    raise Missing(names[0])


def end(process, seconds=30):
    """Ends a process of ours and returns its status."""
    process.terminate()
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait(timeout=seconds)


class Driver:
    """A driver process of its own; `close` ends it."""

    def __init__(self):
        chromium = program(["chromium", "chromium-browser", "google-chrome"])
        executable = program(["chromedriver"])
        self.binary = chromium
        # A handle of each browser's process, which never means another one.
        self.browsers = []
        self.log = tempfile.TemporaryFile(mode="w+b")
        self.process = subprocess.Popen(
            [executable, "--port=0"], stdout=subprocess.PIPE, stderr=self.log)
        self.address = f"http://127.0.0.1:{self._port()}"

    def _port(self):
        for line in self.process.stdout:
            found = re.search(rb"successfully on port (\d+)", line)
            if found:
                return int(found.group(1))
        raise WebDriverError("the driver ended before it named its port")

    def call(self, method, path, body=None):
        """One command; its value, or an error with the driver's message."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.address + path, data=data, method=method,
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=START_SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise WebDriverError(f"{value['error']}: {value['message']}") from None

    def close(self):
        """Ends the driver and what is left of its browsers, by their own processes."""
        end(self.process)
        for browser in self.browsers:
            try:
                signal.pidfd_send_signal(browser, signal.SIGKILL)
            except ProcessLookupError:
                pass
            os.close(browser)
        self.browsers = []
        self.process.stdout.close()
        self.log.close()


class Browser:
    """One window. Sizes are those of the page, without the browser's own parts."""

    def __init__(self, driver, traces=False):
        arguments = [
            "--headless", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
            "--window-size=1200,900", "--lang=en",
        ]
        if os.geteuid() == 0:
            # As root the browser refuses to run inside its own sandbox.
            arguments.append("--no-sandbox")
        options = {"binary": driver.binary, "args": arguments}
        logs = {"browser": "ALL"}
        if traces:
            logs["performance"] = "ALL"
            options["perfLoggingPrefs"] = {
                "enableNetwork": False, "enablePage": False,
                "traceCategories": "devtools.timeline,disabled-by-default-devtools.timeline",
            }
        capabilities = {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": logs,
        }
        self.driver = driver
        session = driver.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.path = f"/session/{session['sessionId']}"
        driver.browsers.append(os.pidfd_open(session["capabilities"]["goog:processID"]))

    def close(self):
        """Closes the window."""
        self.driver.call("DELETE", self.path)

    def _post(self, path, body):
        return self.driver.call("POST", self.path + path, body)

    def open(self, address):
        """Opens a page anew, also where only the part behind `#` differs."""
        self._post("/url", {"url": "about:blank"})
        self._post("/url", {"url": address})

    def run(self, script, *arguments):
        """The value of a script's `return`."""
        return self._post("/execute/sync", {"script": script, "args": list(arguments)})

    def devtools(self, command, **parameters):
        """One command of the browser's own protocol."""
        return self._post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def wait(self, what, script, *arguments, seconds=WAIT_SECONDS):
        """Waits until a script returns something true, and returns it."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(script, *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"it did not happen within {seconds} s: {what}")
            time.sleep(0.03)

    def resize(self, width, height, dark=False, calm=False, touch=False):
        """The size of the page and what the person prefers."""
        self.devtools(
            "Emulation.setDeviceMetricsOverride", width=width, height=height,
            deviceScaleFactor=1, mobile=touch)
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"},
        ])

    def offline(self, is_offline):
        """Takes the network away, or gives it back."""
        self.devtools("Network.enable")
        self.devtools(
            "Network.emulateNetworkConditions", offline=is_offline, latency=0,
            downloadThroughput=-1, uploadThroughput=-1)

    def element(self, selector):
        """The element that a selector names."""
        return self._post("/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        """One click in the middle of an element."""
        self._post(f"/element/{self.element(selector)}/click", {})

    def _pointer(self, actions, kind="mouse"):
        self._post("/actions", {"actions": [{
            "type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions,
        }]})
        self.driver.call("DELETE", self.path + "/actions")

    def double_click(self, selector):
        """Two clicks as fast as the driver can."""
        origin = {ELEMENT: self.element(selector)}
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._pointer([{"type": "pointerMove", "x": 0, "y": 0, "origin": origin}, *press, *press])

    def drag(self, x, y, selector="#stack", milliseconds=400, rest=150, kind="mouse"):
        """A drag from the middle of an element, held still before it is let go."""
        box = self.run(
            "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / arguments[1]]", selector,
            3 if abs(x) > abs(y) else 2)
        steps = max(2, milliseconds // 16)
        start = [round(each) for each in box]
        moves = [{
            "type": "pointerMove", "duration": milliseconds // steps,
            "x": round(start[0] + x * step / steps), "y": round(start[1] + y * step / steps),
        } for step in range(1, steps + 1)]
        self._pointer([
            {"type": "pointerMove", "duration": 0, "x": start[0], "y": start[1]},
            {"type": "pointerDown", "button": 0}, *moves, {"type": "pause", "duration": rest},
            {"type": "pointerUp", "button": 0},
        ], kind)

    def hold(self, x, y, selector="#stack"):
        """A drag that is not let go; `release` does."""
        box = self.run(
            "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 3]", selector)
        start = [round(each) for each in box]
        self._post("/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                {"type": "pointerMove", "duration": 0, "x": start[0], "y": start[1]},
                {"type": "pointerDown", "button": 0},
                {"type": "pointerMove", "duration": 200, "x": start[0] + x, "y": start[1] + y},
            ]}]})

    def release(self):
        """Lets go of what `hold` holds."""
        self.driver.call("DELETE", self.path + "/actions")

    def key(self, value, times=1):
        """Presses a key and lets it go, `times` times."""
        press = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self._post("/actions", {"actions": [{"type": "key", "id": "keys", "actions": press * times}]})

    def screenshot(self, path):
        """Writes what the page looks like as PNG."""
        picture = self.driver.call("GET", self.path + "/screenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture))

    def log(self, kind):
        """The lines of a log since the last time."""
        return self._post("/se/log", {"type": kind})

    def problems(self):
        """What the browser's console holds of errors, those of a network that is gone left out."""
        return [line["message"] for line in self.log("browser")
                if line["level"] == "SEVERE" and "Failed to load resource" not in line["message"]]

    def accessibility(self):
        """The accessibility tree: (role, name, properties) of what is not ignored."""
        nodes = self.devtools("Accessibility.getFullAXTree")["nodes"]
        return [(
            node.get("role", {}).get("value"), node.get("name", {}).get("value", ""),
            {each["name"]: each["value"].get("value") for each in node.get("properties", [])},
        ) for node in nodes if not node.get("ignored")]
