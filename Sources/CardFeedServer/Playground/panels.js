// The panels beside the cards: matches, the reason of the top card, ranking, metrics.

import { describe, hue, initials, load, make } from "./cards.js";
import { EventStream, ServiceError, feedPath, get, newKey, parseMetrics, request } from "./service.js";

const element = (id) => document.getElementById(id);

const isMessage = (error) => error instanceof ServiceError;

/** A round picture with initials behind it. */
export function portrait(id, what) {
  const image = make("img");
  image.alt = "";
  image.loading = "lazy";
  image.decoding = "async";
  const letters = what.kind === "question" ? "✓" : initials(what.title);
  const round = make("span", "portrait", [make("span", "initials", letters), image]);
  round.style.setProperty("--hue", String(hue(id)));
  load(image, what.image);
  return round;
}

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** How far a moment lies from now, in words. */
export function fromNow(milliseconds) {
  const seconds = (milliseconds - Date.now()) / 1000;
  for (const [unit, length] of [["day", 86400], ["hour", 3600], ["minute", 60]]) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return Math.abs(seconds) < 10 ? "now" : relative.format(Math.round(seconds), "second");
}

// Matches

/** After how long matches that could not be loaded are asked for again, in milliseconds. */
const AGAIN = 3000;

/** How often the words for how long ago something was are made anew, in milliseconds. */
const CLOCK = 20_000;

/** The list of one viewer's matches; follows the service's events while it is open. */
export class Matches {
  /** @param hooks `said(text)`, `counted(number)` */
  constructor(session, answers, hooks) {
    this.session = session;
    this.answers = answers;
    this.hooks = hooks;
    this.known = null;
    this.ours = new Set();
    this.isClosed = false;
    const [title, none] = answers.list;
    element("matches-title").textContent = title;
    element("matches-none").textContent = none;
    element("matches-none").hidden = false;
    element("matches-list").replaceChildren();
    hooks.counted(0);
    this.stream = new EventStream(session.path("events"), () => this.refresh());
    this.clock = setInterval(() => this.drawTimes(), CLOCK);
    this.refresh();
  }

  close() {
    this.isClosed = true;
    this.stream.close();
    clearTimeout(this.timer);
    clearInterval(this.clock);
  }

  drawTimes() {
    for (const time of element("matches-list").querySelectorAll("time")) {
      time.textContent = fromNow(Date.parse(time.dateTime));
    }
  }

  /** A match of the viewer's own swipe, which is shown at once and needs no further word. */
  expect(id) {
    this.ours.add(id);
    this.refresh();
  }

  refresh() {
    clearTimeout(this.timer);
    // Events come in bursts.
    this.timer = setTimeout(() => this.load(), 40);
  }

  async load() {
    let matches;
    try {
      ({ matches } = await get(this.session.path("matches")));
    } catch (error) {
      if (!isMessage(error)) throw error;
      if (error.isTemporary && !this.isClosed) this.timer = setTimeout(() => this.load(), AGAIN);
      return;
    }
    if (this.isClosed) return;
    const titles = new Map(matches.map(
      (match) => [match.match, describe(match.id, match.card, this.session.feed.deck).title]));
    if (this.known !== null && this.answers.celebrates) {
      for (const [match, title] of this.known) {
        if (!titles.has(match)) this.hooks.said(`${title}: no match any more.`);
      }
      for (const { match, id } of matches) {
        if (this.known.has(match) || this.ours.has(id)) continue;
        this.hooks.said(`${titles.get(match)}: a new match.`);
      }
    }
    this.known = titles;
    this.draw(matches);
  }

  draw(matches) {
    element("matches-none").hidden = matches.length > 0;
    element("matches-list").replaceChildren(...matches.slice(0, 100).map((match) => this.row(match)));
    this.hooks.counted(matches.length);
  }

  row(match) {
    const what = describe(match.id, match.card, this.session.feed.deck);
    const time = make("time", "", fromNow(match.time_ms));
    time.dateTime = new Date(match.time_ms).toISOString();
    const more = what.reverse?.answer || what.text;
    const line = make("span", "muted small", more === "" ? [time] : [time, ` · ${more}`]);
    const words = make("div", "words", [make("span", "name", what.title), line]);
    const row = make("li", "", [portrait(match.id, what), words]);
    if (this.answers.celebrates) {
      const end = make("button", "quiet small", "Unmatch");
      end.type = "button";
      end.setAttribute("aria-label", `Unmatch ${what.title}`);
      end.addEventListener("click", () => this.unmatch(match, end));
      row.append(end);
    }
    return row;
  }

  async unmatch(match, button) {
    button.disabled = true;
    // One id for this press, so that a second attempt after a lost answer is the same event.
    match.key ??= newKey();
    try {
      const body = JSON.stringify({ card: match.id });
      await request("POST", this.session.path("unmatches"), { key: match.key, body });
      this.refresh();
    } catch (error) {
      if (!isMessage(error)) throw error;
      button.disabled = false;
      this.hooks.said(error.message);
    }
  }
}

// Why

const short = (value) => {
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
};

const NAMES = {
  source: "Found by",
  score: "Score",
  propensity: "Propensity",
  variant: "Variant",
  match: "Match probability",
  match_probability: "Match probability",
  forward: "Likes the card",
  backward: "Is liked back",
  standard_error: "Standard error",
  uncalibrated: "Uncalibrated",
  place: "Place in the hand",
  rank: "Rank",
  filter: "Filter",
  rule: "Rule",
  reason: "Reason",
  fingerprint: "Pipeline",
};

const label = (key) => NAMES[key] ?? key.replaceAll("_", " ");

/** Explains the top card, once things are quiet. */
export class Why {
  constructor() {
    this.generation = 0;
  }

  show(session, entry) {
    this.generation += 1;
    clearTimeout(this.timer);
    if (entry === undefined) {
      this.clear("No card, no reason.");
      return;
    }
    const generation = this.generation;
    this.timer = setTimeout(() => this.load(session, entry, generation), 250);
  }

  clear(text) {
    element("why-text").textContent = text;
    element("why-facts").replaceChildren();
    element("why-terms").replaceChildren();
  }

  async load(session, entry, generation) {
    let answer;
    try {
      answer = await get(session.path("explanations", entry.id));
    } catch (error) {
      if (!isMessage(error)) throw error;
      // What the hand itself tells is better than nothing.
      const text = error.status === 403 ? "The full reason needs the scope admin." : error.message;
      answer = { text, place: null, reason: entry.reason, fate: null };
    }
    if (generation !== this.generation) return;
    this.clear(answer.text);
    this.draw(answer);
  }

  draw({ place, reason, fate, numbers }) {
    const { estimate, terms, ...rest } = reason ?? numbers ?? {};
    const facts = [];
    if (place !== null && place !== undefined) facts.push(["place", place + 1]);
    facts.push(...flat(estimate), ...flat(rest), ...flat(fate));
    element("why-facts").replaceChildren(...facts.flatMap(([key, value]) => {
      const text = key === "fingerprint" ? String(value).slice(0, 10) : short(value);
      return [make("dt", "", label(key)), make("dd", "", text)];
    }));
    this.drawTerms(Array.isArray(terms)
      ? terms.map((term) => [term.name, term.value]) : Object.entries(terms ?? {}));
  }

  drawTerms(terms) {
    if (terms.length === 0) return;
    const widest = Math.max(...terms.map(([, value]) => Math.abs(value ?? 0)), Number.MIN_VALUE);
    const rows = terms.map(([name, value]) => {
      const bar = make("span", value < 0 ? "bar minus" : "bar");
      bar.style.setProperty("--share", String(Math.abs(value ?? 0) / widest));
      return make("li", "", [
        make("span", "name", name), make("span", "number", value === null ? "–" : short(value)), bar,
      ]);
    });
    element("why-terms").replaceChildren(make("h3", "", "What its score is made of"), make("ul", "terms", rows));
  }
}

/** The members of an object that are numbers or texts, those of objects in it as well. */
function flat(value) {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (member === null || member === "") return [];
    return typeof member === "object" ? flat(member) : [[key, member]];
  });
}

// Ranking

/** What is wrong, what was found and what is allowed. */
function sentence({ text, message, found, allowed, nearest }) {
  if (text !== undefined) return text;
  const parts = [
    message,
    found && `found ${found}`,
    allowed && `allowed: ${allowed}`,
    nearest && `did you mean ${nearest}?`,
  ];
  return parts.filter(Boolean).join("; ");
}

/** Swaps the ranking of a running feed, after the service has checked the whole configuration. */
export class Ranking {
  /** @param hooks `swapped()`, `said(text)` */
  constructor(hooks) {
    this.hooks = hooks;
    this.choices = new Map();
    element("ranking").addEventListener("change", () => this.chosen());
    element("ranking-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.apply();
    });
  }

  async open(feed) {
    this.feed = feed;
    const form = element("ranking-form");
    this.problems([]);
    try {
      const [{ strategies }, configuration] = await Promise.all([
        get(`${feedPath(feed.name, "strategies")}?stage=ranking`), get(feedPath(feed.name, "config")),
      ]);
      if (feed !== this.feed) return;
      form.hidden = false;
      this.fill(strategies, configuration.ranking);
    } catch (error) {
      if (!isMessage(error)) throw error;
      // Without the scope admin there is nothing to choose.
      form.hidden = true;
    }
  }

  fill(strategies, current) {
    this.current = current;
    this.choices = new Map(strategies.map((each) => [each.name, each]));
    element("ranking").replaceChildren(...strategies.map(({ name }) => new Option(name, name)));
    if (this.choices.has(current?.use)) element("ranking").value = current.use;
    this.chosen();
  }

  chosen() {
    const name = element("ranking").value;
    element("ranking-summary").textContent = this.choices.get(name)?.summary ?? "";
    const json = this.current?.use === name ? this.current : { use: name };
    element("ranking-json").value = JSON.stringify(json, null, 2);
    this.problems([]);
  }

  problems(list) {
    element("ranking-problems").replaceChildren(...list.map((problem) => {
      const text = sentence(problem);
      return make("li", "", problem.path ? [make("code", "", problem.path), ` ${text}`] : text);
    }));
  }

  async apply() {
    const feed = this.feed;
    let ranking;
    try {
      ranking = JSON.parse(element("ranking-json").value);
    } catch (error) {
      this.problems([{ path: "ranking", text: `This is no JSON: ${error.message}.` }]);
      return;
    }
    const button = element("ranking-form").querySelector("button[type=submit]");
    button.disabled = true;
    try {
      const configuration = await get(feedPath(feed.name, "config"));
      const body = JSON.stringify({ ...configuration, ranking });
      const check = await request("POST", feedPath(feed.name, "config", "check"), { body });
      this.problems(check.problems);
      if (!check.ok) return;
      await request("PUT", feedPath(feed.name, "config"), { body });
      this.current = ranking;
      this.hooks.said(`Ranked by ${ranking.use} from now on.`);
      this.hooks.swapped();
    } catch (error) {
      if (!isMessage(error)) throw error;
      this.problems(error.problem.problems ?? [{ path: "", text: error.message }]);
    } finally {
      button.disabled = false;
    }
  }
}

// Metrics

const EVERY = 2000;

/** Rates and the 99th percentile of the answers between two looks at `/metrics`. */
export class Metrics {
  constructor() {
    this.last = null;
    this.run();
  }

  async run() {
    for (let pause = EVERY / 4; ; pause = EVERY) {
      if (!document.hidden) await this.look();
      await new Promise((done) => setTimeout(done, pause));
    }
  }

  async look() {
    let samples;
    try {
      samples = parseMetrics(await request("GET", "metrics", { text: true }));
    } catch (error) {
      if (!isMessage(error)) throw error;
      element("metrics").hidden = error.status === 403 || error.status === 404;
      return;
    }
    const now = {
      time: performance.now(),
      hands: total(samples, HANDS),
      swipes: total(samples, SWIPES, "applied"),
      buckets: buckets(samples),
    };
    if (this.last !== null) this.draw(this.last, now);
    this.last = now;
  }

  draw(before, now) {
    const seconds = (now.time - before.time) / 1000;
    const rate = (name) => {
      const value = Math.max(now[name] - before[name], 0) / seconds;
      return value >= 100 ? Math.round(value).toLocaleString() : value.toFixed(1);
    };
    element("metric-hands").textContent = rate("hands");
    element("metric-swipes").textContent = rate("swipes");
    const p99 = quantile(0.99, now.buckets, before.buckets) ?? quantile(0.99, now.buckets, new Map());
    element("metric-p99").textContent = p99 === null ? "–" : milliseconds(p99);
  }
}

const HANDS = "cardfeed_hands_total";
const SWIPES = "cardfeed_swipes_total";
const DURATIONS = "cardfeed_http_request_seconds_bucket";

const total = (samples, wanted, result) => samples
  .filter(({ name, labels }) => name === wanted && labels.result === result)
  .reduce((sum, { value }) => sum + value, 0);

function buckets(samples) {
  const sums = new Map();
  for (const { name, labels, value } of samples) {
    if (name !== DURATIONS || labels.route?.endsWith("/events")) continue;
    const limit = labels.le === "+Inf" ? Infinity : Number(labels.le);
    sums.set(limit, (sums.get(limit) ?? 0) + value);
  }
  return sums;
}

/** The upper limit of the bucket that holds a quantile of what came between two counts; null for
 * nothing. */
function quantile(share, now, before) {
  const limits = [...now.keys()].sort((a, b) => a - b);
  const count = (limit) => now.get(limit) - (before.get(limit) ?? 0);
  const all = limits.length === 0 ? 0 : count(limits[limits.length - 1]);
  if (all <= 0) return null;
  return limits.find((limit) => count(limit) >= share * all);
}

const milliseconds = (seconds) =>
  Number.isFinite(seconds) ? `≤ ${Number((seconds * 1000).toPrecision(2))} ms` : "slow";
