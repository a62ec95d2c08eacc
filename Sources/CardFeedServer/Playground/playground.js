// The page: joins a viewer's session, the stack that draws it and the panels.

import { answersOf, arrow, describe, icon, make } from "./cards.js";
import { Gate, Layout } from "./layout.js";
import { Matches, Metrics, Ranking, Why, fromNow, portrait } from "./panels.js";
import { ServiceError, feedPath, get } from "./service.js";
import { Session } from "./session.js";
import { Stack } from "./stack.js";

/** A card that lay on top so long was seen, in milliseconds. */
const SEEN = 500;
const NOTE_STAYS = 5000;
/** The longest time a timer takes. */
const LONGEST_TIMER = 2 ** 31 - 1;
const DEFAULT_VIEWER = "me";

const element = (id) => document.getElementById(id);

class Playground {
  constructor({ feeds, layouts, reportsDwell }) {
    this.feeds = feeds;
    this.documents = layouts;
    this.reportsDwell = reportsDwell;
    this.sessions = new Map();
    this.chosen = new URLSearchParams(location.hash.slice(1));
    this.gate = new Gate(() => this.veto());
    this.stack = new Stack(element("stack"), {
      answer: (direction) => this.byDirection(direction),
      mayAnswer: () => this.veto() === null,
      decide: (request) => this.decide(request, this.byDirection(request.direction)),
      tapped: () => this.reveal(),
      settled: () => this.settled(),
      reveal: () => this.reveal(),
    });
    this.why = new Why();
    this.metrics = new Metrics();
    this.ranking = new Ranking({
      swapped: () => this.session.redeal(),
      said: (text) => this.note(text),
    });
    this.listen();
    this.drawDecks();
    this.openFeed(feeds.find((feed) => feed.name === this.chosen.get("deck")) ?? feeds[0]);
  }

  // Choices

  remember(name, value) {
    this.chosen.set(name, value);
    history.replaceState(null, "", `#${this.chosen}`);
  }

  drawDecks() {
    element("decks").replaceChildren(...this.feeds.map((feed) => {
      const button = make("button", "", feed.name);
      button.type = "button";
      button.addEventListener("click", () => {
        if (feed === this.feed) return;
        this.remember("deck", feed.name);
        this.chosen.delete("viewer");
        this.openFeed(feed);
      });
      feed.button = button;
      return button;
    }));
  }

  openFeed(feed) {
    this.feed = feed;
    this.answers = answersOf(feed);
    for (const each of this.feeds) each.button.setAttribute("aria-pressed", String(each === feed));
    const viewers = feed.viewers ?? [];
    element("viewers").replaceChildren(...viewers.map((id) => new Option(id, id)));
    this.openLayout();
    this.drawDock();
    this.ranking.open(feed);
    this.openViewer(this.chosen.get("viewer") ?? feed.viewer ?? viewers[0] ?? DEFAULT_VIEWER);
  }

  openLayout() {
    const wanted = this.answers.main.map((answer) => answer.direction).filter(Boolean);
    const covers = (each) => wanted.every((direction) => each.directions.includes(direction));
    const chosen = this.documents.find((each) => each.name === this.chosen.get("layout"));
    const document = chosen ?? this.documents.find(covers) ?? this.documents[0];
    element("layout").replaceChildren(...this.documents.map(({ name }) => new Option(name, name)));
    element("layout").value = document.name;
    element("layout-summary").textContent = document.summary;
    // Directions without an answer lead nowhere.
    const directions = document.directions.filter((direction) => wanted.includes(direction));
    this.layout = new Layout({ ...document, directions });
    this.allDirections = document.directions;
    this.stack.setLayout(this.layout);
    if (this.session !== undefined) this.session.lowWater = this.lowWater;
    element("stack").dataset.layout = document.name;
  }

  get lowWater() {
    return this.layout.lastDistance + 3;
  }

  openViewer(viewer) {
    this.leaveTop();
    this.matches?.close();
    const feed = this.feed;
    feed.viewer = viewer;
    element("viewer").value = viewer;
    const name = `${feed.name}/${viewer}`;
    if (!this.sessions.has(name)) {
      const own = (action) => (...parts) => { if (this.session?.name === name) action(...parts); };
      const session = new Session(feed, viewer, {
        changed: own((change) => this.changed(change)),
        swiped: own((card, receipt) => this.matched(card, receipt)),
        rewound: own((answer) => { if (answer.ended_match) this.matches.refresh(); }),
        said: own((text) => this.note(text)),
        status: () => this.drawBanner(),
      });
      session.name = name;
      this.sessions.set(name, session);
    }
    const isKnown = this.session !== undefined && this.sessions.get(name).isLoaded;
    this.session = this.sessions.get(name);
    this.session.lowWater = this.lowWater;
    if (isKnown) this.session.reload();
    this.matches = new Matches(this.session, this.answers, {
      said: (text) => this.note(text),
      counted: (number) => this.drawMatchCount(number),
    });
    this.why.show(this.session, undefined);
    this.changed({ kind: "opened" });
  }

  // Decisions

  byDirection(direction) {
    return this.answers.main.find((answer) => answer.direction === direction) ?? null;
  }

  veto() {
    const view = this.stack.topView;
    if (view === null || this.session.upcoming.length === 0) return "There is no card to answer.";
    if (this.answers.hidesAnswer && !view.isRevealed) return "Show the answer first.";
    return null;
  }

  /** Every decision comes through here, whichever way it was made. */
  decide(request, answer) {
    if (answer === null) return false;
    const verdict = this.gate.decide(request);
    if (verdict === "stale") return false;
    if (verdict !== "passed") {
      this.note(verdict.refused);
      return false;
    }
    const exit = this.exit(answer);
    const drag = request.drag ?? this.layout.dragOfButton(exit, this.stack.size);
    const gone = this.session.upcoming[0];
    this.leaveTop(true);
    this.stack.flyOut(answer, exit, drag);
    this.session.swipe(answer.name, exit);
    this.announce(`${answer.label}: ${this.title(gone)}.`);
    return true;
  }

  /** Where a card leaves: by its answer's direction if the layout has it. */
  exit(answer) {
    if (this.allDirections.includes(answer.direction)) return answer.direction;
    return answer.meaning === "positive" ? "right" : "left";
  }

  press(answer) {
    this.decide({ position: this.dockPosition, path: "button" }, answer);
  }

  rewind() {
    if (element("match").open) element("match").close();
    this.leaveTop();
    this.session.rewind();
  }

  reveal() {
    const view = this.stack.topView;
    if (view === null || view.isRevealed) return;
    const hadFocus = view.element.contains(document.activeElement);
    view.reveal();
    if (hadFocus) element("stack").focus({ preventScroll: true });
    this.say(`Answer: ${view.description.reverse.answer}`);
    this.drawAnswerable();
  }

  // Changes of the hand

  changed(change) {
    const { session, stack } = this;
    this.gate.reset(session.top);
    stack.show(session.upcoming, session.top, this.feed.deck);
    if (change.kind === "opened") stack.rest();
    if (change.kind === "rewound") {
      stack.flyIn(change.exit);
      this.announce("Taken back.");
    }
    if (change.kind === "opened" || change.kind === "adopted") this.announce("");
    if (stack.isSettled) this.settled();
    this.drawEmpty();
    this.drawBanner();
  }

  /** Buttons are about the card that lies still: a second press while one flies out is about the one
   * that went, and the gate lets it not pass. */
  settled() {
    this.dockPosition = this.gate.top;
    this.drawAnswerable();
    this.lookAtTop();
  }

  title(entry) {
    return describe(entry.id, entry.card, this.feed.deck).title;
  }

  /** Says what lies on top, if it is another card than the last time. */
  announce(before) {
    const entry = this.session.upcoming[0];
    const id = entry === undefined ? null : `${this.session.name}/${entry.id}`;
    if (id === this.announced && before === "") return;
    this.announced = id;
    if (entry === undefined) {
      this.say(before);
      return;
    }
    const what = describe(entry.id, entry.card, this.feed.deck);
    const words = [before, what.title.replace(/([^.?!])$/, "$1."), what.eyebrow, what.text];
    this.say(words.filter(Boolean).join(" "));
  }

  // What was seen

  lookAtTop() {
    const entry = this.session.upcoming[0];
    if (this.seen?.entry === entry) return;
    this.leaveTop();
    this.why.show(this.session, entry);
    if (entry === undefined) return;
    const seen = { entry, session: this.session, since: null, time: 0, timer: 0, isReported: false };
    this.seen = seen;
    this.resumeLooking();
  }

  resumeLooking() {
    const seen = this.seen;
    if (seen === undefined || seen.since !== null || document.hidden) return;
    seen.since = performance.now();
    if (!this.reportsDwell && !seen.isReported) {
      seen.timer = setTimeout(() => this.report(seen), Math.max(SEEN - seen.time, 0));
    }
  }

  pauseLooking() {
    const seen = this.seen;
    if (seen === undefined || seen.since === null) return;
    clearTimeout(seen.timer);
    seen.time += performance.now() - seen.since;
    seen.since = null;
  }

  /** @param wasAnswered who answers a card has seen it, however short */
  leaveTop(wasAnswered = false) {
    this.pauseLooking();
    const seen = this.seen;
    this.seen = undefined;
    if (seen !== undefined && (wasAnswered || seen.time >= SEEN)) this.report(seen);
  }

  report(seen) {
    if (seen.isReported || seen.entry.isReported) return;
    seen.isReported = true;
    // Once for each time a card was dealt, also when it comes back by a rewind.
    seen.entry.isReported = true;
    seen.session.impression(seen.entry, this.reportsDwell ? seen.time : undefined);
  }

  // Matches

  async matched(card, receipt) {
    this.matches.expect(card);
    const past = this.session.past.findLast(({ entry }) => entry.id === card);
    if (!this.answers.celebrates) {
      this.note(`${this.answers.confirmation}: ${past === undefined ? card : this.title(past.entry)}`);
      return;
    }
    const what = describe(card, past?.entry.card ?? null, this.feed.deck);
    const mine = await this.ownCard();
    const own = describe(this.session.viewer, mine, this.feed.deck);
    element("match-portraits").replaceChildren(portrait(this.session.viewer, own), portrait(card, what));
    element("match-text").textContent = `You and ${what.short ?? what.title} like each other.`;
    element("match").dataset.event = String(receipt.event);
    if (!element("match").open) element("match").showModal();
  }

  async ownCard() {
    try {
      this.session.own ??= await get(feedPath(this.feed.name, "cards", this.session.viewer));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
    return this.session.own ?? null;
  }

  drawMatchCount(number) {
    const [title] = this.answers.list;
    element("views-matches").textContent = number > 0 ? `${title} ${number}` : title;
  }

  // Drawing

  drawDock() {
    const button = (name, symbol, label, onPress) => {
      const each = make("button", `answer ${symbol}`, [icon(symbol), make("span", "label", label)]);
      each.type = "button";
      each.dataset.answer = name;
      // The second press of a double click means the same as the first one.
      each.addEventListener("click", (event) => { if (event.detail !== 2) onPress(); });
      return each;
    };
    const undo = button("rewind", "rewind", "Undo", () => this.rewind());
    undo.classList.add("minor");
    undo.dataset.always = "";
    undo.setAttribute("aria-keyshortcuts", "Z");
    const main = this.answers.main.map((answer) => {
      const each = button(answer.name, answer.icon, answer.label, () => this.press(answer));
      each.dataset.tone = answer.tone;
      const name = answer.direction;
      if (name !== null) {
        each.setAttribute("aria-keyshortcuts", `Arrow${name[0].toUpperCase()}${name.slice(1)}`);
      }
      return each;
    });
    element("dock").replaceChildren(undo, ...main, this.menu());
    const hints = this.answers.main.filter((answer) => answer.direction !== null)
      .map((answer) => this.hint(arrow(answer.direction), answer.label));
    const extra = this.answers.hidesAnswer ? [this.hint("Space", "Show answer")] : [];
    element("keys").replaceChildren(...extra, ...hints, this.hint("Z", "Undo"));
  }

  hint(key, text) {
    return make("span", "", [make("kbd", "", key), ` ${text} `]);
  }

  /** What is seldom said, behind one button. */
  menu() {
    const list = make("div", "menu");
    list.id = "more";
    list.hidden = true;
    const item = (label, onPress) => {
      const each = make("button", "", label);
      each.type = "button";
      each.addEventListener("click", () => {
        this.openMenu(false);
        onPress();
      });
      return each;
    };
    list.append(
      ...this.answers.more.map((answer) => item(answer.label, () => this.press(answer))),
      ...this.answers.removals.map(([kind, label]) => item(label, () => this.remove(kind))));
    const open = make("button", "answer minor", [icon("more"), make("span", "label", "More")]);
    open.type = "button";
    open.dataset.always = "";
    open.setAttribute("aria-expanded", "false");
    open.setAttribute("aria-controls", "more");
    open.addEventListener("click", () => this.openMenu(list.hidden));
    this.menuParts = { list, open };
    const whole = make("div", "more", [open, list]);
    whole.hidden = list.childElementCount === 0;
    return whole;
  }

  openMenu(isOpen) {
    const { list, open } = this.menuParts;
    if (list.hidden !== isOpen) return;
    list.hidden = !isOpen;
    open.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) list.querySelector("button").focus();
    else if (list.contains(document.activeElement)) open.focus();
  }

  remove(kind) {
    const entry = this.session.upcoming[0];
    if (entry === undefined || this.dockPosition !== this.gate.top) return;
    this.leaveTop(true);
    this.session.remove(kind);
    this.note(kind === "block" ? "Blocked. You will not meet again." : "Reported. Thank you.");
  }

  drawAnswerable() {
    const mayAnswer = this.veto() === null;
    for (const each of element("dock").querySelectorAll("button.answer:not([data-always])")) {
      each.setAttribute("aria-disabled", String(!mayAnswer));
    }
  }

  drawEmpty() {
    const { session } = this;
    const isEmpty = session.upcoming.length === 0;
    element("table").classList.toggle("is-empty", isEmpty);
    element("empty").hidden = !isEmpty;
    clearTimeout(this.dueTimer);
    const due = session.shortfall?.next_due_ms ?? null;
    if (due !== null) {
      const wait = Math.min(Math.max(due - Date.now(), 0) + 250, LONGEST_TIMER);
      this.dueTimer = setTimeout(() => session.reload(), wait);
    }
    if (!isEmpty) return;
    const [title, text, reasons = []] = this.emptyWords();
    element("empty-title").textContent = title;
    element("empty-text").textContent = text;
    element("empty-reasons").replaceChildren(...reasons.map((reason) => make("li", "", reason)));
    element("empty-again").hidden = !session.isLoaded || session.failures > 0;
    if (session.isLoaded && session.failures === 0) this.say(`${title} ${text}`);
  }

  emptyWords() {
    const { session } = this;
    if (session.failures > 0) {
      return ["No connection.", "The next cards come as soon as the service can be reached."];
    }
    if (session.failure !== null) return ["The service said no.", session.failure.message];
    const isWaiting = session.queue.some(({ kind }) => kind === "hand" || kind === "redeal");
    if (!session.isLoaded || isWaiting) return ["Dealing …", ""];
    const { kind, next_due_ms: due = null, removed = [] } = session.shortfall ?? {};
    const isToday = due - Date.now() < 12 * 3_600_000;
    const format = new Intl.DateTimeFormat(undefined, {
      timeStyle: "short", ...(isToday ? {} : { dateStyle: "medium" }),
    });
    const when = due === null ? ""
      : `The next card is due ${fromNow(due)}, ${isToday ? "at" : "on"} ${format.format(due)}.`;
    const reasons = removed.map(({ count, reason }) =>
      `${count} ${count === 1 ? "card" : "cards"}: ${reason}`);
    const titles = {
      exhausted: "That was everything for now.",
      starved: "There are no cards here yet.",
      degraded: "The service is short of time.",
    };
    return [titles[kind] ?? "No cards.", when, reasons];
  }

  drawBanner() {
    const sessions = [...this.sessions.values()];
    const isFailing = sessions.some((session) => session.failures > 0);
    const unsent = sessions.reduce((sum, session) => sum + session.unsent, 0);
    if (isFailing) {
      const waiting = unsent === 0 ? "Your cards stay."
        : unsent === 1 ? "One swipe waits and will be sent." : `${unsent} swipes wait and will be sent.`;
      const isReached = sessions.every(({ failure }) => failure === null || failure.isFault);
      const what = isReached ? "The service failed; it is asked again." : "The service cannot be reached.";
      const text = `${what} ${waiting}`;
      if (element("banner-text").textContent !== text) element("banner-text").textContent = text;
    }
    element("banner").hidden = !isFailing;
    if (this.session?.upcoming.length === 0) this.drawEmpty();
  }

  // Words

  say(text) {
    element("live").textContent = text;
  }

  note(text) {
    const note = element("note");
    note.textContent = text;
    note.classList.add("shown");
    clearTimeout(this.noteTimer);
    this.noteTimer = setTimeout(() => note.classList.remove("shown"), NOTE_STAYS);
  }

  // Keys and the rest

  listen() {
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.pauseLooking();
      else this.resumeLooking();
    });
    addEventListener("pagehide", () => {
      this.leaveTop();
      // A page that the browser keeps for going back would hold one of its few connections.
      this.matches.close();
    });
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.openViewer(this.session.viewer);
    });
    addEventListener("online", () => this.retry());
    element("banner-retry").addEventListener("click", () => this.retry());
    element("empty-again").addEventListener("click", () => this.session.redeal());
    element("match-close").addEventListener("click", () => element("match").close());
    element("match-undo").addEventListener("click", () => this.rewind());
    document.addEventListener("pointerdown", (event) => {
      if (this.menuParts.open.parentElement.contains(event.target)) return;
      this.openMenu(false);
    });
    element("viewer-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const viewer = element("viewer").value;
      this.remember("viewer", viewer);
      this.openViewer(viewer);
    });
    element("layout").addEventListener("change", (event) => {
      this.remember("layout", event.target.value);
      this.openLayout();
      this.settled();
    });
    for (const button of element("views").children) {
      button.addEventListener("click", () => this.view(button.dataset.view));
    }
  }

  view(name) {
    document.body.dataset.view = name;
    for (const button of element("views").children) {
      if (button.dataset.view === name) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
    scrollTo(0, 0);
  }

  retry() {
    for (const session of this.sessions.values()) session.retryNow();
  }

  key(event) {
    if (event.key === "Escape") this.openMenu(false);
    const isTyping = event.target.closest?.("input, select, textarea, dialog, summary") !== null;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "z" || event.key === "Z") {
      if (!event.repeat) this.rewind();
      event.preventDefault();
      return;
    }
    const isOnButton = event.target.closest?.("button, a") !== null;
    if ((event.key === " " || event.key === "Enter") && !isOnButton && this.answers.hidesAnswer) {
      this.reveal();
      event.preventDefault();
      return;
    }
    const direction = /^Arrow(Left|Right|Up|Down)$/.exec(event.key)?.[1].toLowerCase();
    const answer = direction === undefined ? null : this.byDirection(direction);
    if (answer === null) return;
    event.preventDefault();
    // A key that is held down answers one card.
    if (!event.repeat) this.decide({ position: this.gate.top, path: "keyboard" }, answer);
  }
}

/** Waits for the service; the page may have come from a cache, or the service may be starting. */
async function open() {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const [{ feeds }, { layouts }, description] = await Promise.all([
        get("v1/feeds"), get("v1/layouts"), textOf("openapi.json"),
      ]);
      if (feeds.length === 0) throw new ServiceError(503, { title: "The service has no feed." }, null);
      return { feeds, layouts, reportsDwell: description.includes("dwell_ms") };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      element("empty").hidden = false;
      element("empty-again").hidden = true;
      element("empty-title").textContent = error.message;
      element("empty-text").textContent = "Trying again …";
      if (!error.isTemporary) return null;
      await new Promise((done) => setTimeout(done, Math.min(500 * 2 ** attempt, 10_000)));
    }
  }
}

async function textOf(path) {
  try {
    return JSON.stringify(await get(path));
  } catch (error) {
    if (error instanceof ServiceError && !error.isTemporary) return "";
    throw error;
  }
}

const found = await open();
if (found !== null) new Playground(found);
