"""Tests of the playground in a headless Chromium, against a service of their own.

python3 playground_test.py --cardfeed PROGRAM [--screenshots DIR] [NAME...]
python3 playground_test.py --url ADDRESS …      against a service that runs already

It asks the service itself what has arrived. Times are printed, never asserted.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
import uuid

from browser import ARROWS, ENTER, TAB, Browser, Driver, Missing, end

SKIPPED = 77


class Service:
    """A `cardfeed serve --demo` of its own on a free port, or one that runs already."""

    def __init__(self, program=None, address=None, options=(), token=None):
        self.process = None
        self.address = address
        self.token = token
        if program is not None:
            self.process = subprocess.Popen(
                [program, "serve", "--demo", "--port", "0", *options], stderr=subprocess.PIPE,
                text=True)
            self.address = self._announced()
            # A pipe that nobody reads would stop the service when it is full.
            self.reader = threading.Thread(target=self.process.stderr.read, daemon=True)
            self.reader.start()
        self.address = self.address.rstrip("/") + "/"

    def _announced(self):
        lines = []
        for line in self.process.stderr:
            lines.append(line)
            found = re.search(r"http://[^\s/]+", line)
            if found:
                return found.group(0)
        raise SystemExit("the service ended before it named its address:\n" + "".join(lines))

    def close(self):
        """Ends the service, by its own process, and checks that it ended well."""
        if self.process is None:
            return
        code = end(self.process)
        self.reader.join()
        self.process.stderr.close()
        if code != 0:
            raise SystemExit(f"the service ended with {code}")

    def call(self, method, path, body=None, key=None):
        """One request: the status and the answer's JSON."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if key is not None:
            headers["Idempotency-Key"] = key
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(
            self.address + path, method=method, headers=headers,
            data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"{}")


def path(feed, viewer, what):
    """The path of something that belongs to a viewer."""
    parts = [urllib.parse.quote(each, safe="") for each in (feed, viewer)]
    return f"v1/feeds/{parts[0]}/viewers/{parts[1]}/{what}"


TOP = "return document.querySelector('.card.top:not([hidden])')?.dataset.id ?? null"
SETTLED = ("const t = document.querySelector('.card.top'); return t !== null && "
           "/^translate3d\\(-?0(\\.0)?px, ?-?0(\\.0)?px/.test(t.style.transform)")
SENT = ("return performance.getEntriesByType('resource')"
        ".filter((each) => each.name.endsWith('/' + arguments[0])).length")

ROWS = "return document.querySelectorAll('#matches-list li').length"
ASKS = "return !document.getElementById('access').hidden"
# Streams of events that can be broken: what each was asked after, and what it has brought.
BREAKABLE = """
    const send = window.fetch;
    window.streams = [];
    window.refused = 0;
    window.isBroken = false;
    window.fetch = async (...request) => {
      if (!String(request[0]).endsWith('/events')) return send(...request);
      if (window.isBroken) {
        window.refused += 1;
        throw new TypeError('broken');
      }
      const answer = await send(...request);
      const stream = { after: request[1].headers['Last-Event-ID'] ?? null, text: '' };
      window.streams.push(stream);
      const reader = answer.body.getReader();
      const decoder = new TextDecoder();
      const body = new ReadableStream({
        async start(controller) {
          window.breakStream = () => {
            window.isBroken = true;
            reader.cancel();
            controller.error(new TypeError('broken'));
          };
          try {
            for (;;) {
              const { value, done } = await reader.read();
              if (done || window.isBroken) return;
              stream.text += decoder.decode(value, { stream: true });
              controller.enqueue(value);
            }
          } catch (error) {
            controller.error(error);
          }
        },
      });
      return new Response(body, { status: answer.status, headers: answer.headers });
    };"""


class PlaygroundTests(unittest.TestCase):
    """Each test has a viewer of its own, so none sees what another one did."""

    service = None
    driver = None
    screenshots = None
    browser = None

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(cls.driver)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def tearDown(self):
        self.browser.offline(False)
        self.assertEqual(self.browser.problems(), [], "the console holds errors")

    def open(self, feed="dating", viewer=None, width=1000, height=900, layout=None, **preferences):
        """Opens the page for a new viewer and waits for a card or the reason why there is none."""
        self.feed = feed
        self.viewer = viewer or f"guest-{uuid.uuid4().hex[:12]}"
        query = {"deck": feed, "viewer": self.viewer}
        if layout:
            query["layout"] = layout
        self.browser.resize(width, height, **preferences)
        self.browser.open(self.service.address + "#" + urllib.parse.urlencode(query))
        self.browser.wait(
            "a card or a reason",
            "return document.querySelector('.card.top:not([hidden])') !== null || "
            "document.querySelector('#empty:not([hidden]) #empty-again:not([hidden])') !== null")

    def hand(self):
        """The ids of the service's hand, top first."""
        status, answer = self.service.call("GET", path(self.feed, self.viewer, "hand"))
        self.assertEqual(status, 200)
        return [card["id"] for card in answer["cards"]]

    def top(self):
        """The id of the card on top of the page's stack."""
        return self.browser.run(TOP)

    def wait_for_top(self, other_than):
        """The next card's id, once the page lies still and the service agrees."""
        self.browser.wait("another card on top", TOP.replace(
            "?? null", f"!== {json.dumps(other_than)}"))
        end = time.monotonic() + 20
        while self.hand()[:1] != [self.top()]:
            self.assertLess(time.monotonic(), end, "the page and the service disagree")
            time.sleep(0.03)
        self.browser.wait("the card lies still", SETTLED)
        return self.top()

    def sent(self, what):
        """How many requests the page has sent to a path that ends so."""
        return self.browser.run(SENT, what)

    def picture(self, name):
        """A screenshot, if somebody wants to look."""
        if self.screenshots:
            time.sleep(0.4)
            self.browser.screenshot(os.path.join(self.screenshots, name + ".png"))

    # Swipes

    def test_a_drag_of_200_points_swipes_and_the_service_has_the_event(self):
        for kind in ("mouse", "touch"):
            with self.subTest(kind):
                self.open(touch=kind == "touch")
                before = self.top()
                self.browser.drag(200, 8, kind=kind)
                self.wait_for_top(other_than=before)
                self.assertNotIn(before, self.hand())
                self.assertEqual(self.sent("swipes"), 1)

    def test_a_drag_of_60_points_springs_back(self):
        self.open()
        before = self.top()
        self.browser.drag(60, 0)
        self.browser.wait("the card is back", SETTLED)
        self.assertEqual(self.top(), before)
        self.assertEqual(self.hand()[0], before)
        self.assertEqual(self.sent("swipes"), 0)

    def test_a_held_card_says_what_letting_go_would_answer(self):
        self.open()
        self.browser.hold(110, 0)
        stamp = "return document.querySelector('.card.top .stamp')"
        self.browser.wait("the sign is there", stamp + ".style.opacity > 0.8")
        self.assertEqual(self.browser.run(stamp + ".textContent"), "Like")
        self.picture("held")
        self.browser.hold(30, 0)
        self.browser.release()

    def test_a_double_click_sends_one_swipe(self):
        self.open()
        before, second = self.hand()[:2]
        self.browser.double_click("[data-answer=pass]")
        self.assertEqual(self.wait_for_top(other_than=before), second)
        self.assertEqual(self.sent("swipes"), 1)

    def test_two_clicks_while_a_card_flies_send_one_swipe(self):
        self.open()
        before, second = self.hand()[:2]
        self.browser.run(
            "const b = document.querySelector('[data-answer=pass]'); b.click(); b.click()")
        self.assertEqual(self.wait_for_top(other_than=before), second)
        self.assertEqual(self.sent("swipes"), 1)

    def test_a_card_that_is_held_stays_when_the_hand_changes(self):
        self.open()
        before = self.top()
        self.browser.hold(60, 0)
        self.service.call("POST", path(self.feed, self.viewer, "swipes"),
                          {"card": before, "answer": "pass"}, key=uuid.uuid4().hex)
        self.browser.run("dispatchEvent(new Event('online'))")
        self.assertEqual(self.top(), before)
        self.browser.release()
        self.browser.wait("the card is back", SETTLED)
        self.browser.key(ARROWS["left"])
        self.wait_for_top(other_than=before)

    # Keys

    def test_arrows_answer_and_z_takes_back(self):
        self.open()
        first, second = self.hand()[:2]
        self.browser.key(ARROWS["left"])
        self.assertEqual(self.wait_for_top(other_than=first), second)
        self.browser.key("z")
        self.assertEqual(self.wait_for_top(other_than=second), first)
        self.assertEqual(self.hand()[:2], [first, second])
        self.assertEqual((self.sent("swipes"), self.sent("rewinds")), (1, 1))

    def test_z_takes_back_what_was_swiped_before_the_page_was_opened(self):
        self.open()
        first, second = self.hand()[:2]
        self.browser.key(ARROWS["left"])
        self.wait_for_top(other_than=first)
        self.open(viewer=self.viewer)
        self.assertEqual(self.top(), second)
        self.browser.key("z")
        self.assertEqual(self.wait_for_top(other_than=second), first)

    def test_enter_presses_the_button_that_has_the_focus(self):
        self.open()
        before = self.top()
        self.browser.run("document.querySelector('[data-answer=pass]').focus()")
        self.browser.key(ENTER)
        self.wait_for_top(other_than=before)
        self.assertEqual(self.sent("swipes"), 1)

    def test_a_question_is_answered_after_its_answer_was_shown(self):
        self.open("quiz")
        before = self.top()
        self.browser.key(ARROWS["right"])
        self.browser.drag(260, 0)
        self.browser.wait("the card is back", SETTLED)
        self.assertEqual((self.top(), self.sent("swipes")), (before, 0))
        self.assertIn("Show the answer", self.browser.run(
            "return document.getElementById('note').textContent"))
        self.picture("question")
        self.browser.key(" ")
        self.browser.wait("the answer is there",
                          "return document.querySelector('.card.top.revealed') !== null")
        self.picture("answer")
        self.browser.key(ARROWS["right"])
        self.browser.wait("it went", TOP.replace("?? null", f"!== {json.dumps(before)}"))
        self.browser.wait("it was sent", SENT.replace("arguments[0]", "'swipes'") + " === 1")

    def test_a_product_goes_in_four_directions(self):
        self.open("product")
        for direction, way in (("left", (-260, 0)), ("right", (260, 0)), ("up", (0, -340)),
                               ("down", (0, 340))):
            with self.subTest(direction):
                before = self.top()
                self.browser.drag(*way)
                self.wait_for_top(other_than=before)

    # A network that fails

    def test_without_a_network_cards_stay_and_swipes_arrive_once_later(self):
        self.open()
        hand = self.hand()
        self.browser.offline(True)
        for _ in range(2):
            before = self.top()
            self.browser.key(ARROWS["left"])
            self.browser.wait("another card", TOP.replace(
                "?? null", f"!== {json.dumps(before)}"))
        self.browser.wait("a banner says so",
                          "return !document.getElementById('banner').hidden")
        self.assertIn("2 swipes", self.browser.run(
            "return document.getElementById('banner-text').textContent"))
        self.assertEqual(self.top(), hand[2])
        self.assertEqual(self.hand(), hand)
        self.picture("offline")
        self.browser.offline(False)
        self.browser.wait("the banner is gone",
                          "return document.getElementById('banner').hidden")
        self.wait_for_top(other_than=hand[1])
        self.assertEqual(self.top(), hand[2])
        self.assertEqual(self.hand()[0], hand[2])

    def test_a_swipe_whose_answer_is_lost_is_sent_again_with_the_same_id(self):
        self.open()
        first, second = self.hand()[:2]
        self.browser.run("""
            const send = window.fetch;
            window.keys = [];
            window.fetch = async (...request) => {
              const answer = await send(...request);
              if (!request[0].endsWith('/swipes')) return answer;
              window.keys.push(request[1].headers['Idempotency-Key']);
              if (window.keys.length === 1) throw new TypeError('lost');
              return answer;
            };""")
        self.browser.key(ARROWS["left"])
        self.browser.wait("it was sent twice", "return window.keys.length === 2")
        self.assertEqual(len(set(self.browser.run("return window.keys"))), 1)
        self.assertEqual(self.wait_for_top(other_than=first), second)

    def test_a_card_comes_back_when_its_answer_is_over_the_limit(self):
        self.open()
        first, second = self.hand()[:2]
        self.browser.run("""
            const send = window.fetch;
            window.fetch = (...request) => {
              if (!request[0].endsWith('/swipes')) return send(...request);
              window.fetch = send;
              return Promise.resolve(new Response(
                JSON.stringify({ type: '/problems/over-limit', detail: 'No more of them today.' }),
                { status: 429, headers: { 'Retry-After': '3600' } }));
            };""")
        self.browser.key(ARROWS["up"])
        self.browser.wait("it says so", "return document.getElementById('note').textContent"
                          " === 'No more of them today.'")
        self.assertEqual(self.wait_for_top(other_than=second), first)
        self.browser.key(ARROWS["left"])
        self.assertEqual(self.wait_for_top(other_than=first), second)

    def test_a_swipe_at_which_the_service_fails_comes_back_and_the_next_one_counts(self):
        self.open()
        first, second = self.hand()[:2]
        self.browser.run("""
            const send = window.fetch;
            window.tries = 0;
            window.fetch = (...request) => {
              if (!request[0].endsWith('/swipes') || window.tries === 3) return send(...request);
              window.tries += 1;
              return Promise.resolve(new Response(
                JSON.stringify({ type: '/problems/internal', detail: 'It failed under the id 7.' }),
                { status: 500 }));
            };""")
        self.browser.key(ARROWS["left"])
        self.browser.wait("it says so", "return document.getElementById('note').textContent"
                          " === 'It failed under the id 7.'")
        self.assertEqual(self.browser.run("return window.tries"), 3)
        self.assertEqual(self.wait_for_top(other_than=second), first)
        self.browser.wait("the banner is gone",
                          "return document.getElementById('banner').hidden")
        self.browser.key(ARROWS["left"])
        self.assertEqual(self.wait_for_top(other_than=first), second)
        self.assertEqual(self.hand()[0], second)

    def test_matches_that_could_not_be_loaded_are_loaded_later(self):
        self.open(width=1440)
        self.browser.run("""
            const send = window.fetch;
            window.refused = 0;
            window.fetch = (...request) => {
              if (!request[0].endsWith('/matches') || window.refused === 2) return send(...request);
              window.refused += 1;
              return Promise.reject(new TypeError('no network'));
            };""")
        self.match_elsewhere()
        self.browser.wait("it is listed", ROWS + " === 1")
        self.assertEqual(self.browser.run("return window.refused"), 2)

    def test_a_swipe_that_was_not_sent_outlives_the_page(self):
        self.open()
        first, second = self.hand()[:2]
        self.browser.run("""
            const send = window.fetch;
            window.fetch = (...request) => request[1]?.method === 'POST'
              ? Promise.reject(new TypeError('no network')) : send(...request);""")
        self.browser.key(ARROWS["left"])
        self.browser.wait("a banner says so",
                          "return !document.getElementById('banner').hidden")
        self.assertEqual(self.hand()[0], first)
        self.open(viewer=self.viewer)
        self.wait_for_top(other_than=first)
        self.assertEqual(self.hand()[0], second)

    def test_a_hand_that_changed_elsewhere_is_taken_over(self):
        self.open()
        first, second, third = self.hand()[:3]
        status, _ = self.service.call(
            "POST", path(self.feed, self.viewer, "swipes"),
            {"card": first, "answer": "pass"}, key=uuid.uuid4().hex)
        self.assertEqual(status, 200)
        self.browser.key(ARROWS["left"])
        self.browser.wait("it says so", "return document.getElementById('note').textContent"
                          ".includes('not on top any more')")
        self.assertEqual(self.wait_for_top(other_than=first), second)
        self.assertEqual(self.hand()[1], third)

    def test_cards_come_before_the_hand_runs_out(self):
        self.open("product")
        for _ in range(12):
            before = self.top()
            self.browser.key(ARROWS["left"])
            self.wait_for_top(other_than=before)
            self.assertTrue(self.browser.run("return document.getElementById('empty').hidden"))

    def test_what_was_seen_is_reported_once_and_for_how_long(self):
        self.open()
        before = self.top()
        self.browser.run("""
            const send = window.fetch;
            window.fetch = (...request) => {
              if (request[0].endsWith('/impressions')) window.impression = request[1].body;
              return send(...request);
            };""")
        time.sleep(0.7)
        self.browser.key(ARROWS["left"])
        self.wait_for_top(other_than=before)
        self.browser.key("z")
        self.wait_for_top(other_than=self.hand()[1])
        self.browser.key(ARROWS["left"])
        self.browser.wait("two swipes", SENT.replace("arguments[0]", "'swipes'") + " === 2")
        self.assertEqual(self.browser.run(
            "return performance.getEntriesByType('resource')"
            ".filter((each) => each.name.endsWith('/impressions')).length"), 1)
        impression = json.loads(self.browser.run("return window.impression"))
        self.assertEqual(impression["card"], before)
        self.assertGreaterEqual(impression["dwell_ms"], 700)

    # What comes of it

    def test_a_match_is_shown_and_listed(self):
        self.open()
        for _ in range(60):
            before = self.top()
            self.browser.key(ARROWS["right"])
            self.wait_for_top(other_than=before)
            time.sleep(0.1)
            if self.browser.run("return document.getElementById('match').open"):
                break
        else:
            self.fail("no match in 60 likes")
        self.assertIn("like each other", self.browser.run(
            "return document.getElementById('match-text').textContent"))
        self.picture("match")
        self.browser.wait(
            "it is listed", "return document.querySelectorAll('#matches-list li').length === 1")
        top = self.top()
        self.browser.key(ARROWS["left"])
        self.assertEqual(self.top(), top, "a key behind the overlay must not swipe")
        self.browser.click("#match-close")
        self.browser.wait("it is closed", "return !document.getElementById('match').open")
        self.picture("matched")

    def match_elsewhere(self):
        """Likes cards without the page until one likes back; that card's id."""
        for _ in range(60):
            card = self.hand()[0]
            _, answer = self.service.call(
                "POST", path(self.feed, self.viewer, "swipes"), {"card": card, "answer": "like"},
                key=uuid.uuid4().hex)
            if answer["receipt"]["match"] is not None:
                return card
        self.fail("no match in 60 likes")

    def test_a_match_made_elsewhere_is_listed_at_once_and_can_be_ended(self):
        self.open(width=1440)
        self.match_elsewhere()
        self.browser.wait("it is listed", ROWS + " === 1")
        self.browser.click("#matches-list button")
        self.browser.wait("it is gone", ROWS + " === 0")
        self.assertEqual(
            self.service.call("GET", path(self.feed, self.viewer, "matches"))[1]["matches"], [])

    def test_a_match_that_ends_elsewhere_leaves_the_list(self):
        self.open(width=1440)
        card = self.match_elsewhere()
        self.browser.wait("it is listed", ROWS + " === 1")
        # By the other one, who has a page of their own.
        status, _ = self.service.call(
            "POST", path(self.feed, card, "unmatches"), {"card": self.viewer}, key=uuid.uuid4().hex)
        self.assertEqual(status, 200)
        self.browser.wait("it is gone", ROWS + " === 0")
        self.assertIn("no match any more", self.browser.run(
            "return document.getElementById('note').textContent"))

    def test_a_match_made_while_the_events_are_broken_arrives_once(self):
        self.open(width=1440)
        self.browser.run(BREAKABLE)
        # The list opens its stream anew, through what was put before it.
        self.browser.run("document.getElementById('viewer-form').requestSubmit()")
        self.browser.wait("the stream is open", "return window.streams.length === 1")
        self.match_elsewhere()
        self.browser.wait("it is listed", ROWS + " === 1")
        self.browser.run("window.breakStream()")
        self.browser.wait("it tries again", "return window.refused > 0")
        card = self.match_elsewhere()
        time.sleep(0.5)
        self.assertEqual(self.browser.run(ROWS), 1, "told without a stream")
        self.browser.run("window.isBroken = false")
        self.browser.wait("it is listed", ROWS + " === 2")
        time.sleep(0.5)
        first, second = self.browser.run("return window.streams")
        self.assertEqual(first["after"], None)
        told = [re.findall(r"event: (\S+)\ndata: (.*)", each["text"]) for each in (first, second)]
        self.assertEqual([[name for name, _ in each] for each in told], [["match-made"]] * 2)
        self.assertEqual(json.loads(told[1][0][1])["card"], card)
        self.assertIn(f"id: {second['after']}\n", first["text"])
        self.assertEqual(self.browser.run(ROWS), 2)

    def test_a_deck_that_the_page_does_not_know_has_a_button_for_each_answer(self):
        rename = self.browser.devtools("Page.addScriptToEvaluateOnNewDocument", source="""
            const send = window.fetch;
            window.fetch = async (...request) => {
              const answer = await send(...request);
              if (!String(request[0]).endsWith('v1/feeds')) return answer;
              const text = (await answer.text()).replaceAll('"deck":"', '"deck":"new-');
              return new Response(text, { status: answer.status });
            };""")
        try:
            self.open("product")
            self.assertEqual(
                ["skip", "open", "save", "buy", "dislike"], self.browser.run(
                    "return [...document.querySelectorAll('#dock [data-answer]')]"
                    ".map((each) => each.dataset.answer).filter((each) => each !== 'rewind')"))
            for press in (lambda: self.browser.click("[data-answer=buy]"),
                          lambda: self.browser.drag(-260, 0)):
                before = self.top()
                press()
                self.wait_for_top(other_than=before)
            self.picture("unknown")
        finally:
            self.browser.devtools(
                "Page.removeScriptToEvaluateOnNewDocument", identifier=rename["identifier"])

    def test_an_empty_deck_says_why(self):
        self.feed, self.viewer = "quiz", f"guest-{uuid.uuid4().hex[:12]}"
        for _ in range(2000):
            hand = self.hand()
            if not hand:
                break
            self.service.call("POST", path(self.feed, self.viewer, "swipes"),
                              {"card": hand[0], "answer": "easy"}, key=uuid.uuid4().hex)
        else:
            self.fail("the demo's quiz does not end")
        self.open("quiz", viewer=self.viewer)
        title, text = self.browser.run(
            "return ['title', 'text'].map((each) => "
            "document.getElementById('empty-' + each).textContent)")
        self.assertIn("everything", title)
        self.assertIn("due", text)
        self.picture("empty")

    def test_the_reason_of_the_top_card_is_explained(self):
        self.open()
        self.browser.wait("facts", "return document.querySelectorAll('#why-facts dt').length >= 3")
        self.assertNotEqual(
            self.browser.run("return document.getElementById('why-text').textContent"), "")

    # Switches

    def test_decks_are_switched(self):
        self.open()
        for feed, answers in (("quiz", "again hard good easy"), ("product", "skip open save buy"),
                              ("dating", "pass super-like like")):
            self.browser.run(
                "[...document.querySelectorAll('#decks button')]"
                ".find((each) => each.textContent === arguments[0]).click()", feed)
            self.browser.wait("its cards", "return document.querySelector('.card.top') !== null")
            self.assertEqual(answers.split(), self.browser.run(
                "return [...document.querySelectorAll('#dock [data-answer]')]"
                ".map((each) => each.dataset.answer).filter((each) => each !== 'rewind')"))
            self.assertEqual(self.browser.run(
                "return document.querySelector('#decks [aria-pressed=true]').textContent"), feed)

    def test_viewers_and_layouts_are_switched(self):
        self.open()
        viewer = f"guest-{uuid.uuid4().hex[:12]}"
        self.browser.run(
            "document.getElementById('viewer').value = arguments[0];"
            "document.getElementById('viewer-form').requestSubmit()", viewer)
        self.viewer = viewer
        self.browser.wait("the viewer's top card", TOP.replace(
            "?? null", f"=== {json.dumps(self.hand()[0])}"))
        names = self.browser.run(
            "return [...document.getElementById('layout').options].map((each) => each.value)")
        self.assertGreater(len(names), 1)
        for name in names:
            with self.subTest(name):
                self.browser.run(
                    "const l = document.getElementById('layout'); l.value = arguments[0];"
                    "l.dispatchEvent(new Event('change'))", name)
                before = self.top()
                self.browser.drag(-260, 0)
                self.wait_for_top(other_than=before)
                self.picture(f"layout-{name}")

    def test_the_ranking_is_swapped_after_a_check(self):
        self.open("product")
        config = f"v1/feeds/{self.feed}/config"
        before = self.service.call("GET", config)[1]
        self.browser.wait("a list", "return document.getElementById('ranking').options.length > 1")
        try:
            submit = ("document.getElementById('ranking-json').value = arguments[0];"
                      "document.getElementById('ranking-form').requestSubmit()")
            self.browser.run(submit, '{"use": "weighted", "terms": 7}')
            problem = self.browser.wait(
                "a problem", "return document.querySelector('.problems li')?.textContent")
            self.assertIn("ranking.terms", problem)
            self.assertNotIn("undefined", problem)
            self.picture("problem")
            self.assertEqual(self.service.call("GET", config)[1]["ranking"], before["ranking"])
            self.browser.run(submit, '{"use": "random"}')
            self.browser.wait("it says so", "return document.getElementById('note').textContent"
                              ".includes('random')")
            self.assertEqual(self.service.call("GET", config)[1]["ranking"]["use"], "random")
            self.assertFalse(self.browser.run("return document.querySelector('.problems li')"))
        finally:
            self.service.call("PUT", config, before)

    # For everybody

    def test_nothing_is_cut_off_on_small_and_large_screens(self):
        for width, height in ((360, 640), (360, 780), (768, 1024), (1440, 900)):
            for feed in ("dating", "quiz", "product"):
                with self.subTest(f"{feed} at {width} × {height}"):
                    self.open(feed, width=width, height=height, touch=width < 500)
                    self.check_fits(width, height)
                    self.picture(f"{feed}-{width}x{height}")
        self.open(width=360, height=640, touch=True)
        for view in ("matches", "why", "setup"):
            self.browser.click(f"#views [data-view={view}]")
            self.assertLessEqual(
                self.browser.run("return document.documentElement.scrollWidth"), 360)
            self.picture(f"{view}-360")

    def check_fits(self, width, height):
        self.assertLessEqual(
            self.browser.run("return document.documentElement.scrollWidth"), width)
        for selector in (".card.top", "#dock"):
            left, top, right, bottom = self.browser.run(
                "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
                "return [b.left, b.top, b.right, b.bottom]", selector)
            self.assertGreaterEqual(left, 0, selector)
            self.assertLessEqual(right, width, selector)
            self.assertGreaterEqual(top, 0, selector)
            self.assertLessEqual(bottom, height, selector)

    def test_colours_have_enough_contrast_in_light_and_dark(self):
        pairs = [("ink", "paper"), ("ink", "surface"), ("muted", "paper"), ("muted", "surface"),
                 ("accent", "surface"), ("on-accent", "accent"), ("positive", "surface"),
                 ("negative", "surface"), ("special", "surface"), ("negative", "paper")]
        papers = []
        for is_dark in (False, True):
            self.open(dark=is_dark, width=1440)
            names = sorted({name for pair in pairs for name in pair})
            colours = self.browser.run(
                "const style = getComputedStyle(document.documentElement);"
                "return arguments[0].map((each) => style.getPropertyValue('--' + each).trim())",
                names)
            light = dict(zip(names, map(luminance, colours)))
            for one, other in pairs:
                bright, dim = sorted((light[one], light[other]), reverse=True)
                self.assertGreaterEqual((bright + 0.05) / (dim + 0.05), 4.5, (one, other, is_dark))
            papers.append(light["paper"])
            self.picture("dark" if is_dark else "light")
        self.assertGreater(papers[0], 0.5)
        self.assertLess(papers[1], 0.1)

    def test_nothing_moves_where_motion_is_not_wanted(self):
        furthest = []
        for is_calm in (False, True):
            self.open(calm=is_calm)
            before = self.top()
            self.browser.run("""
                window.furthest = 0;
                const look = () => {
                  for (const card of document.querySelectorAll('.card:not([hidden])')) {
                    const x = Math.abs(new DOMMatrix(card.style.transform).m41);
                    if (x > window.furthest) window.furthest = x;
                  }
                  requestAnimationFrame(look);
                };
                look();""")
            self.browser.key(ARROWS["left"])
            self.wait_for_top(other_than=before)
            furthest.append(self.browser.run("return window.furthest"))
        self.assertGreater(furthest[0], 100)
        self.assertEqual(furthest[1], 0)

    def test_a_screen_reader_finds_names_for_everything(self):
        self.open(width=1440)
        tree = self.browser.accessibility()
        unnamed = [(role, name) for role, name, _ in tree if name == "" and role in (
            "button", "textbox", "combobox", "dialog", "link", "searchbox")]
        self.assertEqual(unnamed, [])
        buttons = {name for role, name, _ in tree if role == "button"}
        self.assertLessEqual({"Undo", "Pass", "Super-like", "Like", "More"}, buttons)
        self.assertIn("Hand", {name for role, name, _ in tree if role == "group"})
        title = self.browser.run(
            "return document.querySelector('.card.top .title').textContent")
        headings = [name for role, name, _ in tree if role == "heading"]
        self.assertIn(title, headings)
        self.assertEqual(len([name for role, name, _ in tree if role == "article"]), 1,
                         "only the top card is read")
        self.assertTrue(any(each.get("live") == "polite" for _, _, each in tree))
        before = self.top()
        self.browser.key(ARROWS["left"])
        self.wait_for_top(other_than=before)
        said = self.browser.run("return document.getElementById('live').textContent")
        self.assertIn(f"Pass: {title}", said)
        self.assertIn(self.browser.run(
            "return document.querySelector('.card.top .title').textContent"), said)

    def test_the_keyboard_reaches_everything_and_the_focus_is_seen(self):
        self.open(width=1440)
        reached = []
        for _ in range(40):
            self.browser.key(TAB)
            name, outline = self.browser.run("""
                const e = document.activeElement;
                if (e === document.body) return ['body', true];
                const shown = [e, ...e.querySelectorAll('.icon')]
                  .some((each) => getComputedStyle(each).outlineStyle !== 'none');
                return [e.id || e.dataset.answer || e.textContent.trim(), shown]""")
            if name in reached:
                break
            self.assertTrue(outline, f"no outline on {name}")
            reached.append(name)
        self.assertLessEqual(
            {"stack", "rewind", "pass", "like", "viewer", "layout", "ranking"}, set(reached))

    def test_a_page_that_is_left_holds_no_connection(self):
        for _ in range(8):
            self.open()
            self.browser.wait("the stream of events is open", """
                return performance.getEntriesByType('resource')
                  .some((each) => each.name.endsWith('/matches'))""")
        before = self.top()
        self.browser.key(ARROWS["left"])
        self.wait_for_top(other_than=before)

    def test_the_page_takes_nothing_from_elsewhere(self):
        request = urllib.request.Request(self.service.address)
        with urllib.request.urlopen(request) as answer:
            self.assertIn("default-src 'self'", answer.headers["Content-Security-Policy"])
        self.open()
        elsewhere = self.browser.run(
            "return performance.getEntriesByType('resource').map((each) => each.name)"
            ".filter((each) => !each.startsWith(location.origin + '/'))")
        self.assertEqual(elsewhere, [])


class TokenTests(unittest.TestCase):
    """The page of a service that asks for tokens."""

    program = None
    driver = None
    screenshots = None

    def setUp(self):
        if self.program is None:
            self.skipTest("a service of its own is needed")
        made = subprocess.run(
            [self.program, "token", "--scopes", "serve,write"], capture_output=True, text=True,
            check=True).stdout.split("\n")
        self.token = made[0]
        self.folder = tempfile.TemporaryDirectory()
        tokens = os.path.join(self.folder.name, "tokens.txt")
        with open(tokens, "w", encoding="ascii") as file:
            file.write("\n".join(made[1:]))
        self.service = Service(self.program, options=["--tokens", tokens, "--open-playground"], token=self.token)
        self.browser = Browser(self.driver)

    def tearDown(self):
        self.browser.close()
        self.service.close()
        self.folder.cleanup()

    def open(self, viewer, **preferences):
        self.browser.resize(preferences.pop("width", 1000), 900, **preferences)
        self.browser.open(f"{self.service.address}#deck=dating&viewer={viewer}")

    def give(self, token):
        """Types a token as a person does, without the mouse."""
        self.browser.wait("it is asked for", ASKS)
        self.assertEqual(
            self.browser.run("return document.activeElement.id"), "access-token")
        for letter in token:
            self.browser.key(letter)
        self.browser.key(ENTER)

    CARD = "return document.querySelector('.card.top:not([hidden])') !== null"

    def test_a_token_is_asked_for_once_and_sent_with_everything(self):
        viewer = f"guest-{uuid.uuid4().hex[:12]}"
        self.open(viewer, width=1440)
        self.give("wrong")
        problem = "return document.getElementById('access-problem').textContent"
        self.browser.wait("it is refused", problem + ".includes('does not take')")
        self.give(self.token)
        self.browser.wait("a card", self.CARD)
        self.assertFalse(self.browser.run(ASKS))
        self.assertEqual(self.browser.run("return document.activeElement.id"), "main")
        # Nothing of it stays where another page or another day could find it.
        kept, *others = self.browser.run(
            "return [sessionStorage.getItem('cardfeed/token'), JSON.stringify({...localStorage}),"
            " document.cookie, location.href, document.getElementById('access-token').value]")
        self.assertEqual(kept, self.token)
        self.assertNotIn(self.token, "".join(others))
        before = self.browser.run(TOP)
        self.browser.key(ARROWS["left"])
        self.browser.wait("another card", TOP.replace("?? null", f"!== {json.dumps(before)}"))
        # The stream of events has it as well.
        for _ in range(60):
            hand = self.service.call("GET", path("dating", viewer, "hand"))[1]["cards"]
            _, answer = self.service.call(
                "POST", path("dating", viewer, "swipes"),
                {"card": hand[0]["id"], "answer": "like"}, key=uuid.uuid4().hex)
            if answer.get("receipt", {}).get("match") is not None:
                break
        else:
            self.fail("no match in 60 likes")
        self.browser.wait("it is listed", ROWS + " === 1")
        # A reload of the tab has it still; another tab has not.
        self.browser.run("location.reload()")
        self.browser.wait("a card", self.CARD)
        self.assertFalse(self.browser.run(ASKS))
        another = Browser(self.driver)
        try:
            another.open(self.service.address)
            another.wait("it is asked for", ASKS)
        finally:
            another.close()

    def test_the_question_has_names_fits_and_can_be_read(self):
        for width, dark in ((360, False), (360, True), (1440, False), (1440, True)):
            with self.subTest(width=width, dark=dark):
                self.open("me", width=width, dark=dark)
                self.browser.wait("it is asked for", ASKS)
                if self.screenshots:
                    time.sleep(0.4)
                    self.browser.screenshot(os.path.join(
                        self.screenshots, f"token-{width}-{'dark' if dark else 'light'}.png"))
                self.assertLessEqual(self.browser.run(
                    "return document.documentElement.scrollWidth"), width)
                left, right = self.browser.run(
                    "const b = document.getElementById('access').getBoundingClientRect();"
                    "return [b.left, b.right]")
                self.assertGreaterEqual(left, 0)
                self.assertLessEqual(right, width)
                tree = self.browser.accessibility()
                self.assertIn(("textbox", "Token"), [(role, name) for role, name, _ in tree])
                self.assertIn(("button", "Use it"), [(role, name) for role, name, _ in tree])
                self.assertIn(
                    ("heading", "This service asks for a token"),
                    [(role, name) for role, name, _ in tree])
        self.assertEqual(self.browser.run(
            "return document.getElementById('access-problem').getAttribute('role')"), "alert")


class FrameTests(unittest.TestCase):
    """What a drag costs, from the browser's own trace."""

    service = None
    driver = None
    screenshots = None

    def test_a_drag_takes_one_frame_callback_a_frame_and_measures_nothing(self):
        browser = Browser(self.driver, traces=True)
        try:
            browser.resize(1000, 900)
            browser.open(f"{self.service.address}#deck=dating&viewer=guest-{uuid.uuid4().hex[:12]}")
            browser.wait("a card", "return document.querySelector('.card.top:not([hidden])') !== null")
            time.sleep(1)
            # What lies between the two marks is the drag.
            browser.run("console.timeStamp('drag begins')")
            browser.drag(200, 0, milliseconds=1000)
            # The flight belongs to it; nothing is asked meanwhile, which would be script as well.
            time.sleep(1)
            browser.run("console.timeStamp('drag ends')")
            self.assertEqual(browser.run(SENT, "swipes"), 1)
            events = [json.loads(line["message"])["message"] for line in browser.log("performance")]
        finally:
            browser.close()
        events = [each["params"] for each in events if each["method"] == "Tracing.dataCollected"]
        frames = script_by_frame(events)
        self.assertGreater(len(frames), 10, "the trace holds no drag")
        self.assertLessEqual(max(each["callbacks"] for each in frames), 1)
        self.assertEqual(sum(each["forced"] for each in frames), 0, "a script forced a layout")
        for name, of in (("script", "of the thread's own time"), ("clock", "by the clock")):
            times = sorted(each[name] for each in frames)
            print(f"\ndrag: {len(frames)} frames; script of a frame, {of}: median "
                  f"{times[len(times) // 2]:.2f} ms, longest {times[-1]:.2f} ms",
                  end="", file=sys.stderr)
        print(file=sys.stderr)


def new_frame():
    """A frame in which nothing has happened yet."""
    return {"script": 0.0, "clock": 0.0, "callbacks": 0, "forced": 0}


def script_by_frame(events):
    """For each frame between the two marks: milliseconds of script, of the thread's own time and by the
    clock, how many frame callbacks ran and how many layouts scripts forced."""
    marks = {each["args"]["data"]["message"]: each for each in events if each["name"] == "TimeStamp"}
    if not {"drag begins", "drag ends"} <= marks.keys():
        return []
    begin, end = marks["drag begins"], marks["drag ends"]
    main = [each for each in events
            if (each["pid"], each["tid"]) == (begin["pid"], begin["tid"])
            and begin["ts"] <= each["ts"] <= end["ts"]]
    main.sort(key=lambda each: each["ts"])
    frames = [new_frame()]
    until = 0
    for each in main:
        name, length = each["name"], each.get("dur", 0)
        if name == "FireAnimationFrame":
            frames[-1]["callbacks"] += 1
        if name in ("EventDispatch", "FireAnimationFrame", "FunctionCall", "TimerFire"):
            # What runs inside another one is counted with it.
            if each["ts"] >= until:
                frames[-1]["script"] += each.get("tdur", length) / 1000
                frames[-1]["clock"] += length / 1000
                until = each["ts"] + length
        elif name in ("Layout", "UpdateLayoutTree") and each["ts"] < until:
            frames[-1]["forced"] += 1
        if name == "PrePaint":
            # The last thing that the main thread does for a frame, once for each.
            frames.append(new_frame())
    return [each for each in frames if each["callbacks"] > 0]


def luminance(colour):
    """The relative luminance of `#rrggbb`. Source: WCAG 2.2, "relative luminance"."""
    def linear(part):
        value = part / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
    red, green, blue = (linear(int(colour[place:place + 2], 16)) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class GivenUp(KeyboardInterrupt):
    """The time is over, or somebody ends the tests: no test may take that for its own failure."""


def give_up(number, frame):
    """Ends the tests, and with them the browser and the service."""
    raise GivenUp(f"ended by {signal.Signals(number).name}")


def main():
    parser = argparse.ArgumentParser(description="Tests the playground in a headless Chromium.")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--cardfeed", help="the program whose service is tested")
    where.add_argument("--url", help="a service that runs already")
    parser.add_argument("--screenshots", help="a folder for pictures of the page")
    parser.add_argument("--limit", type=int, default=600, help="seconds until they are given up")
    parser.add_argument("names", nargs="*", help="parts of the names of the tests to run")
    options = parser.parse_args()
    for number in (signal.SIGALRM, signal.SIGTERM):
        signal.signal(number, give_up)
    signal.alarm(options.limit)
    try:
        driver = Driver()
    except Missing as missing:
        print(f"skipped: no {missing} here; on Debian: apt-get install chromium chromium-driver")
        return SKIPPED
    service = None
    try:
        service = Service(options.cardfeed, options.url)
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)
        for tests in (PlaygroundTests, TokenTests, FrameTests):
            tests.service, tests.driver = service, driver
            tests.screenshots = options.screenshots
        loader = unittest.TestLoader()
        TokenTests.program = options.cardfeed
        if options.names:
            loader.testNamePatterns = [f"*{name}*" for name in options.names]
        suite = unittest.TestSuite(
            loader.loadTestsFromTestCase(tests)
            for tests in (PlaygroundTests, TokenTests, FrameTests))
        result = unittest.TextTestRunner(verbosity=2).run(suite)
        return 0 if result.wasSuccessful() and result.testsRun > 0 else 1
    finally:
        signal.alarm(0)
        driver.close()
        if service is not None:
            service.close()


if __name__ == "__main__":
    sys.exit(main())
