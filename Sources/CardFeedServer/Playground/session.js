// One viewer's hand of one feed, as the page holds it. Everything that changes something goes through
// one queue, in order and one at a time, each with its own event id, and is sent again with the same
// id until the service has answered: a network that fails loses nothing and doubles nothing.

import { ServiceError, feedPath, newKey, request } from "./service.js";

const DEEPEST_PAST = 20;
const LONGEST_WAIT = 30_000;
const LONGEST_DWELL = 86_400_000;
/** A limit that ends sooner is one on requests, not on answers: the same request waits for it. */
const SHORT_LIMIT = 5;

/** How often a request is sent at which the service itself fails. */
const FAULTS = 3;

export class Session {
  /**
   * @param feed an entry of `/v1/feeds`
   * @param hooks `changed(change)`, `status()`, `swiped(entry, receipt)`, `said(text)`
   */
  constructor(feed, viewer, hooks) {
    this.feed = feed;
    this.viewer = viewer;
    this.hooks = hooks;
    /** The cards that lie there, top first, and the position of the first one. */
    this.upcoming = [];
    this.top = 0;
    /** What went, the latest last. */
    this.past = [];
    this.shortfall = null;
    this.isLoaded = false;
    this.lowWater = 4;
    this.failures = 0;
    this.failure = null;
    this.isRunning = false;
    this.wake = null;
    this.storageName = `cardfeed/${feed.name}/${viewer}`;
    this.queue = this.restored();
    this.saved = "";
    this.reload();
  }

  path(...parts) {
    return feedPath(this.feed.name, "viewers", this.viewer, ...parts);
  }

  /** Swipes that the service has not confirmed. */
  get unsent() {
    return this.queue.filter((each) => each.kind === "swipe" || each.kind === "rewind").length;
  }

  // What a person does

  swipe(answer, exit) {
    const entry = this.upcoming.shift();
    this.past.push({ entry, answer, exit });
    if (this.past.length > DEEPEST_PAST) this.past.shift();
    this.top += 1;
    this.add({ kind: "swipe", card: entry.id, body: { card: entry.id, answer, time_ms: Date.now() } });
    this.refill();
    this.hooks.changed({ kind: "swiped" });
  }

  /** Takes the last swipe back. Without a past of its own the page waits for the service's. */
  rewind() {
    const last = this.past.pop();
    this.add({ kind: "rewind", entry: last?.entry, body: {} });
    if (last === undefined) return;
    this.upcoming.unshift(last.entry);
    this.top -= 1;
    this.hooks.changed({ kind: "rewound", exit: last.exit });
  }

  /** Blocks or reports the person on top. */
  remove(kind) {
    const entry = this.upcoming.shift();
    this.top += 1;
    this.add({ kind, card: entry.id, body: { card: entry.id } });
    this.reload();
    this.hooks.changed({ kind: "removed" });
  }

  impression(entry, dwell) {
    const body = { card: entry.id };
    // Who left the page open for longer than a day looked at no card, and the service takes no more.
    if (dwell !== undefined && dwell < LONGEST_DWELL) body.dwell_ms = Math.round(dwell);
    this.add({ kind: "impression", card: entry.id, body });
  }

  reload() {
    if (!this.queue.some((each, place) => each.kind === "hand" && (place > 0 || !this.isRunning))) {
      this.add({ kind: "hand" });
    }
  }

  redeal() {
    this.add({ kind: "redeal" });
  }

  refill() {
    if (this.upcoming.length < this.lowWater) this.reload();
  }

  retryNow() {
    this.wake?.();
  }

  // The queue

  add(operation) {
    if (operation.body !== undefined) {
      operation.key = newKey();
      operation.body = JSON.stringify(operation.body);
    }
    this.queue.push(operation);
    this.save();
    this.run();
  }

  async run() {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      while (this.queue.length > 0) await this.step(this.queue[0]);
    } finally {
      // Also after a mistake of the page itself: the next operation goes on.
      this.isRunning = false;
      this.hooks.status();
    }
  }

  async step(operation) {
    let answer;
    try {
      answer = await this.send(operation);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.isFault) operation.faults = (operation.faults ?? 0) + 1;
      const isGivenUp = (operation.faults ?? 0) >= FAULTS;
      if (!isGivenUp && (error.isTemporary || this.isShortLimit(error))) {
        await this.waitAfter(error);
      } else {
        this.finish(operation);
        this.refused(operation, error);
      }
      return;
    }
    this.finish(operation);
    this.settle(operation, answer);
  }

  finish(operation) {
    this.queue.splice(this.queue.indexOf(operation), 1);
    this.failures = 0;
    this.failure = null;
    this.save();
    this.hooks.status();
  }

  isShortLimit(error) {
    return error.status === 429 && error.retryAfter !== null && error.retryAfter <= SHORT_LIMIT;
  }

  async waitAfter(error) {
    this.failures += 1;
    this.failure = error;
    this.hooks.status();
    const backoff = Math.min(500 * 2 ** Math.min(this.failures, 7), LONGEST_WAIT);
    const wait = error.retryAfter === null ? backoff * (0.75 + Math.random() / 2) : error.retryAfter * 1000;
    await new Promise((done) => {
      const timer = setTimeout(done, wait);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
    this.wake = null;
  }

  send(operation) {
    const { kind, key, body } = operation;
    switch (kind) {
      case "hand":
        return request("GET", this.path("hand"));
      case "redeal":
        return request("POST", this.path("redeal"));
      default:
        return request("POST", this.path(`${kind}s`), { key, body, keepalive: true });
    }
  }

  // Answers

  settle(operation, answer) {
    switch (operation.kind) {
      case "hand":
      case "redeal":
        this.isLoaded = true;
        this.shortfall = answer.shortfall;
        this.adopt(answer.cards);
        break;
      case "swipe":
        // A like of somebody who is a match already names the old one.
        if (answer.receipt.match === answer.receipt.event) {
          this.hooks.swiped(operation.card, answer.receipt);
        }
        if (answer.result === "applied") this.compare(answer.top);
        break;
      case "rewind":
        this.settleRewind(operation, answer);
        break;
    }
  }

  settleRewind(operation, answer) {
    if (answer.result === "nothing-to-rewind") this.hooks.said("There is nothing to take back.");
    if (answer.result === "too-old") this.hooks.said("That is too long ago to be taken back.");
    if (answer.ended_match) this.hooks.said("The match that came of it has ended.");
    this.hooks.rewound(answer);
    if (answer.result === "applied" && operation.entry !== undefined) this.compare(answer.card);
    else this.reload();
  }

  /** A top card other than the page's own, with nothing under way that would explain it. */
  compare(top) {
    const isQuiet = this.queue.every((each) => each.kind === "impression");
    if (isQuiet && top !== undefined && top?.id !== this.upcoming[0]?.id) this.reload();
  }

  refused(operation, error) {
    const isSwipe = operation.kind === "swipe";
    if (isSwipe && (error.status === 429 || error.isFault)) {
      // The card still lies on top, so nothing behind it can count either.
      this.queue = this.queue.filter((each) => each.kind !== "swipe" && each.kind !== "rewind");
      this.save();
      this.mayReturn = true;
      this.hooks.said(error.message);
    } else if (isSwipe && error.kind === "stale") {
      this.hooks.said("That card was not on top any more. Your hand is up to date again.");
    } else if (operation.kind !== "impression") {
      this.hooks.said(error.message);
    }
    if (operation.kind === "hand" || operation.kind === "redeal") {
      this.isLoaded = true;
      this.failure = error;
      this.hooks.changed({ kind: "adopted" });
    } else if (operation.kind !== "impression") {
      this.reload();
    }
  }

  /** Takes over the service's hand, less what is under way. Cards that stay are the same objects, so
   * that nothing is drawn anew. */
  adopt(cards) {
    const list = cards.slice();
    for (const each of this.queue) {
      const place = list.findIndex((card) => card.id === each.card);
      if (each.kind === "rewind" && each.entry !== undefined) list.unshift(each.entry);
      else if (each.kind !== "impression" && place >= 0) list.splice(place, 1);
    }
    const known = new Map(this.upcoming.map((entry) => [entry.id, entry]));
    const next = list.map((card) => {
      const entry = known.get(card.id);
      return entry !== undefined && entry.deal === card.deal ? entry : card;
    });
    let change = { kind: "adopted" };
    if (this.mayReturn) {
      const back = this.past.findLastIndex((each) => each.entry.id === next[0]?.id);
      if (back >= 0) {
        change = { kind: "rewound", exit: this.past[back].exit };
        this.top -= this.past.length - back;
        this.past.length = back;
      }
      this.mayReturn = false;
    }
    this.upcoming = next;
    this.hooks.changed(change);
  }

  // A reload of the page keeps what was not sent.

  save() {
    const lasting = this.queue
      .filter((each) => each.key !== undefined)
      .map(({ kind, key, body, card }) => ({ kind, key, body, card }));
    const text = lasting.length === 0 ? "" : JSON.stringify(lasting);
    if (text === this.saved) return;
    this.saved = text;
    if (text === "") sessionStorage.removeItem(this.storageName);
    else sessionStorage.setItem(this.storageName, text);
  }

  restored() {
    try {
      return JSON.parse(sessionStorage.getItem(this.storageName) ?? "[]");
    } catch {
      return [];
    }
  }
}
