// swift-format-ignore-file
// Made of the files in Playground/ by:
// CARDFEED_REGENERATE=1 swift test --filter PlaygroundFilesTests

/// The text of each file of the page for trying out.
enum PlaygroundContent {
  static let files: [(name: String, text: String)] = [
    ("access.js", ###"""
// The token of a service that asks for one. It is kept for this tab and until the tab is closed, and
// sent to the service itself only.

const NAME = "cardfeed/token";
const element = (id) => document.getElementById(id);

let token = stored();
let asking = null;

function stored() {
  // A browser may keep nothing for this page.
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

function keep(value) {
  token = value;
  try {
    sessionStorage.setItem(NAME, value);
  } catch {
    // Then it is asked for after each reload.
  }
}

/** `fetch` with the token. Whenever the service wants another one, the request waits until somebody
 * has given it, and is sent again.
 * @param options makes the options, anew for each attempt */
export async function send(path, options) {
  for (;;) {
    const used = token;
    const { headers, ...rest } = options();
    const authorization = used === null ? {} : { Authorization: `Bearer ${used}` };
    const response = await fetch(path, { ...rest, headers: { ...headers, ...authorization } });
    if (response.status !== 401) return response;
    await response.body?.cancel();
    // Another request may have asked meanwhile.
    if (used !== token) continue;
    asking ??= ask(used !== null).finally(() => { asking = null; });
    await asking;
  }
}

/** @param wasRefused whether there is a token that the service did not take */
function ask(wasRefused) {
  const form = element("access");
  const field = element("access-token");
  form.hidden = false;
  element("access-problem").textContent = wasRefused ? "The service does not take this token." : "";
  field.setAttribute("aria-invalid", String(wasRefused));
  field.focus();
  return new Promise((done) => {
    form.onsubmit = (event) => {
      event.preventDefault();
      const value = field.value.trim();
      if (!/^[\x21-\x7e]+$/.test(value)) {
        element("access-problem").textContent = "A token is of letters, digits and signs, without spaces.";
        field.setAttribute("aria-invalid", "true");
        return;
      }
      keep(value);
      field.value = "";
      form.hidden = true;
      // Cards are not there yet.
      element("main").focus({ preventScroll: true });
      done();
    };
  });
}

"""###),
    ("cards.js", ###"""
// What a card looks like and what its deck's answers are called. Knows the shipped decks by name; an
// unknown one is shown by the keys its cards have, with a button for each answer.

const ICONS = {
  pass: "M6 6l12 12M18 6L6 18",
  like: "M12 20.3S3.8 15.4 3.8 9.3A4.5 4.5 0 0 1 12 6.8a4.5 4.5 0 0 1 8.2 2.5c0 6.1-8.2 11-8.2 11z",
  star: "M12 3.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8L3.6 9.7l5.8-.8z",
  again: "M19.5 12a7.5 7.5 0 1 1-2.3-5.4M19.5 3.5v4h-4",
  hard: "M5 12h14",
  good: "M5 12.5l4.6 4.6L19 7.5",
  easy: "M13 3L5.5 13.5H11L10 21l8-11h-5.6z",
  open: "M2.8 12S6.2 5.8 12 5.8 21.2 12 21.2 12 17.8 18.2 12 18.2 2.8 12 2.8 12zM12 14.6a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2z",
  save: "M6.5 3.8h11v16.4L12 16.4l-5.5 3.8z",
  buy: "M5.5 8.5h13l-1 11.5h-11zM8.8 8.5V7a3.2 3.2 0 0 1 6.4 0v1.5",
  rewind: "M8.5 5L4 9.5 8.5 14M4.5 9.5h9.3a5.7 5.7 0 0 1 0 11.4H9",
  more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
  dot: "M14 12a2 2 0 1 1-4 0 2 2 0 0 1 4 0z",
};

const SVG = "http://www.w3.org/2000/svg";

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name] ?? ICONS.dot);
  svg.append(path);
  return svg;
}

/** An element with a class, a text and children. */
export function make(tag, className = "", content = []) {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  element.append(...[content].flat());
  return element;
}

// Answers

const DECKS = {
  dating: {
    // [answer, label, direction, icon, tone]
    answers: [
      ["pass", "Pass", "left", "pass", "negative"],
      ["super-like", "Super-like", "up", "star", "special"],
      ["like", "Like", "right", "like", "positive"],
    ],
    more: [],
    removals: [["block", "Block"], ["report", "Report"]],
    list: ["Matches", "Nobody yet. A match is a like that comes back."],
    celebrates: true,
  },
  quiz: {
    answers: [
      ["again", "Again", "left", "again", "negative"],
      ["hard", "Hard", "down", "hard", "neutral"],
      ["good", "Good", "right", "good", "positive"],
      ["easy", "Easy", "up", "easy", "special"],
    ],
    fewAnswers: [
      ["wrong", "Wrong", "left", "pass", "negative"],
      ["right", "Right", "right", "good", "positive"],
    ],
    more: [["bury", "Not before tomorrow"], ["suspend", "Never again"]],
    unused: ["resume"],
    list: ["Known", "Nothing yet. What you answer right is listed here."],
    confirmation: "Right",
    hidesAnswer: true,
  },
  product: {
    answers: [
      ["skip", "Skip", "left", "pass", "neutral"],
      ["open", "Look", "down", "open", "neutral"],
      ["save", "Save", "right", "save", "positive"],
      ["buy", "Buy", "up", "buy", "special"],
    ],
    more: [["dislike", "Not for me"]],
    list: ["Saved", "Nothing yet. What you save or buy is listed here."],
    confirmation: "Kept",
  },
};

const ARROWS = { left: "←", right: "→", up: "↑", down: "↓" };
export const arrow = (direction) => ARROWS[direction] ?? "";

const spoken = (name) => {
  const words = name.replaceAll(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What can be said to the cards of a feed: `main` has a button and perhaps a direction, `more` stands
 * in the menu. */
export function answersOf(feed) {
  const offered = new Map(feed.answers.map((each) => [each.name, each.meaning]));
  const deck = DECKS[feed.deck];
  const known = deck === undefined ? generic(feed.answers) : listed(deck, offered);
  const main = known.main.map(([name, label, direction, symbol, tone]) => ({
    name,
    label,
    direction,
    icon: symbol,
    tone,
    meaning: offered.get(name),
  }));
  const more = known.more.map(([name, label]) => ({
    name,
    label,
    direction: null,
    tone: offered.get(name),
    meaning: offered.get(name),
  }));
  return {
    main,
    more,
    removals: deck?.removals ?? [],
    list: deck?.list ?? ["Matches", "Nothing yet."],
    celebrates: deck?.celebrates ?? false,
    confirmation: deck?.confirmation ?? "Match",
    hidesAnswer: deck?.hidesAnswer ?? false,
  };
}

function listed(deck, offered) {
  const isOffered = ([name]) => offered.has(name);
  const full = deck.answers.filter(isOffered);
  const few = (deck.fewAnswers ?? []).filter(isOffered);
  const main = full.length >= 2 ? full : few;
  const others = [...deck.answers, ...(deck.fewAnswers ?? []), ...deck.more].map(([name]) => name);
  const unknown = [...offered.keys()].filter(
    (name) => !others.includes(name) && !(deck.unused ?? []).includes(name));
  return {
    main,
    more: [...deck.more.filter(isOffered), ...unknown.map((name) => [name, spoken(name)])],
  };
}

function generic(answers) {
  const free = { negative: ["left"], positive: ["right", "up"], neutral: ["down"] };
  const symbols = { negative: "pass", positive: "good", neutral: "dot" };
  const rows = answers.map(({ name, meaning }) => [
    name, spoken(name), free[meaning]?.shift() ?? null, symbols[meaning], meaning,
  ]);
  return { main: rows.slice(0, 5), more: rows.slice(5) };
}

// Contents

const texts = (value) => (Array.isArray(value) ? value.filter((each) => typeof each === "string") : []);

function money(price) {
  if (!Number.isFinite(price?.minor_units)) return "";
  try {
    const format = new Intl.NumberFormat(undefined, { style: "currency", currency: price.currency });
    const digits = format.resolvedOptions().maximumFractionDigits;
    return format.format(price.minor_units / 10 ** digits);
  } catch {
    return `${price.minor_units} ${price.currency}`;
  }
}

function age(person) {
  if (Number.isFinite(person.age)) return Math.floor(person.age);
  const born = /^(\d{4})-(\d\d)-(\d\d)$/.exec(person.birth_date ?? "");
  if (born === null) return null;
  const now = new Date();
  const [year, month, day] = born.slice(1).map(Number);
  const isBefore = now.getMonth() + 1 < month || (now.getMonth() + 1 === month && now.getDate() < day);
  return now.getFullYear() - year - (isBefore ? 1 : 0);
}

/** What a card of a deck says: `kind`, `title`, `eyebrow`, `text`, `chips`, `image`, `reverse`. */
export function describe(id, card, deck) {
  const nothing = { kind: "other", title: id, eyebrow: "", text: "", chips: [], image: null, reverse: null };
  if (card === null || typeof card !== "object") return nothing;
  const image = typeof card.image === "string" ? card.image : null;
  switch (deck) {
    case "dating": {
      const years = age(card);
      const name = card.name ?? id;
      return {
        ...nothing,
        kind: "person",
        title: years === null ? name : `${name}, ${years}`,
        short: name,
        eyebrow: card.verified === true ? "Verified" : "",
        text: card.bio ?? "",
        chips: [...texts(card.intents), ...texts(card.tags)].slice(0, 6),
        image,
      };
    }
    case "quiz":
      return {
        ...nothing,
        kind: "question",
        title: card.prompt ?? id,
        eyebrow: texts(card.skills).concat(texts(card.tags)).slice(0, 2).join(" · "),
        reverse: { answer: card.answer ?? "", remark: card.remark ?? "" },
      };
    case "product":
      return {
        ...nothing,
        kind: "product",
        title: card.title ?? id,
        eyebrow: [card.brand, texts(card.category).at(-1)].filter(Boolean).join(" · "),
        text: money(card.price),
        chips: texts(card.tags).slice(0, 5),
        image,
      };
    default: {
      const title = card.title ?? card.name ?? card.prompt ?? id;
      const rest = Object.entries(card).filter(
        ([key, value]) => !["id", "title", "name", "image"].includes(key) && typeof value !== "object");
      return {
        ...nothing,
        title: String(title),
        text: rest.slice(0, 6).map(([key, value]) => `${spoken(key)}: ${value}`).join("\n"),
        image,
      };
    }
  }
}

/** A hue that belongs to an id, for its placeholder. */
export function hue(id) {
  let hash = 2166136261;
  for (let place = 0; place < id.length; place += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(place), 16777619);
  }
  return (hash >>> 0) % 360;
}

export function initials(title) {
  const words = title.replace(/,.*$/, "").split(/\s+/).filter(Boolean);
  return words.slice(0, 2).map((word) => [...word][0].toUpperCase()).join("");
}

/** Shows a picture over its placeholder once it has come; on a failure the placeholder stays. */
export function load(image, source) {
  image.classList.remove("loaded");
  if (source === null) {
    image.removeAttribute("src");
    image.hidden = true;
    return;
  }
  image.hidden = false;
  image.onload = () => image.classList.add("loaded");
  image.onerror = () => { image.hidden = true; };
  image.src = source;
}

/** One of the stack's views: an element that shows one card after another. */
export class CardView {
  constructor(onReveal) {
    this.initials = make("span", "initials");
    this.image = make("img");
    this.image.alt = "";
    this.image.draggable = false;
    this.image.decoding = "async";
    this.media = make("div", "media", [this.initials, this.image]);
    this.media.setAttribute("aria-hidden", "true");
    this.eyebrow = make("p", "eyebrow");
    this.title = make("h2", "title");
    this.text = make("p", "text");
    this.chips = make("ul", "chips");
    this.answer = make("p", "answer");
    this.remark = make("p", "remark");
    this.reverse = make("div", "reverse", [this.answer, this.remark]);
    this.show = make("button", "show", "Show answer");
    this.show.type = "button";
    this.show.addEventListener("click", onReveal);
    this.body = make("div", "body", [
      this.eyebrow, this.title, this.text, this.chips, this.reverse, this.show,
    ]);
    this.stamp = make("div", "stamp");
    this.stamp.setAttribute("aria-hidden", "true");
    this.veil = make("div", "veil");
    this.element = make("article", "card", [this.media, this.body, this.veil, this.stamp]);
    this.entry = null;
    this.clear();
  }

  /** Everything of the old card goes before another is shown. */
  clear() {
    this.entry = null;
    this.element.hidden = true;
    this.element.classList.remove("revealed", "top");
    this.element.inert = true;
    this.stamped = undefined;
    this.transform = "";
    this.opacity = "";
    this.stampOpacity = "";
    this.veilOpacity = "";
    this.setStamp(null, 0);
  }

  fill(entry, deck) {
    this.clear();
    this.entry = entry;
    const what = describe(entry.id, entry.card, deck);
    this.description = what;
    this.element.dataset.kind = what.kind;
    this.element.dataset.id = entry.id;
    this.media.style.setProperty("--hue", String(hue(entry.id)));
    this.initials.textContent = what.kind === "question" ? "" : initials(what.title);
    load(this.image, what.image);
    this.title.textContent = what.title;
    this.title.classList.toggle("long", what.title.length > 60);
    for (const [element, text] of [
      [this.eyebrow, what.eyebrow],
      [this.text, what.text],
      [this.answer, what.reverse?.answer ?? ""],
      [this.remark, what.reverse?.remark ?? ""],
    ]) {
      element.textContent = text;
      element.hidden = text === "";
    }
    this.chips.replaceChildren(...what.chips.map((chip) => make("li", "", chip)));
    this.chips.hidden = what.chips.length === 0;
    this.show.hidden = what.reverse === null;
    this.reverse.hidden = true;
    this.element.setAttribute("aria-label", what.title);
    this.element.hidden = false;
  }

  reveal() {
    this.reverse.hidden = false;
    this.show.hidden = true;
    this.element.classList.add("revealed");
  }

  get isRevealed() {
    return this.description.reverse === null || !this.reverse.hidden;
  }

  /** Only the top card takes gestures, and only it is read. */
  setTop(isTop) {
    this.element.inert = !isTop;
    this.element.classList.toggle("top", isTop);
  }

  setStamp(answer, opacity) {
    if (answer !== this.stamped) {
      this.stamped = answer;
      this.stamp.textContent = answer?.label ?? "";
      this.stamp.dataset.tone = answer?.tone ?? "";
      this.stamp.dataset.direction = answer?.direction ?? "";
    }
    const text = opacity.toFixed(2);
    if (text !== this.stampOpacity) {
      this.stampOpacity = text;
      this.stamp.style.opacity = text;
    }
  }

  /** Draws the view; writes only what has changed.
   * @param veil how much of the card has faded into the page
   * @param alpha how opaque the whole of it is */
  draw(x, y, rotation, scale, veil, alpha) {
    const transform =
      `translate3d(${x.toFixed(1)}px,${y.toFixed(1)}px,0) rotate(${rotation.toFixed(2)}deg) `
      + `scale(${scale.toFixed(4)})`;
    if (transform !== this.transform) {
      this.transform = transform;
      this.element.style.transform = transform;
    }
    const opacity = alpha.toFixed(3);
    if (opacity !== this.opacity) {
      this.opacity = opacity;
      this.element.style.opacity = opacity;
    }
    const veiled = veil.toFixed(3);
    if (veiled !== this.veilOpacity) {
      this.veilOpacity = veiled;
      this.veil.style.opacity = veiled;
    }
  }
}

"""###),
    ("icon.svg", ###"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect x="7" y="3" width="18" height="24" rx="4" fill="#aab3f0" transform="rotate(-9 16 16)"/>
  <rect x="7" y="5" width="18" height="24" rx="4" fill="#3b4cca"/>
  <path d="M16 22.5s-5-3-5-6.6a2.7 2.7 0 0 1 5-1.5 2.7 2.7 0 0 1 5 1.5c0 3.600-5 6.600-5 6.600z" fill="#fff"/>
</svg>

"""###),
    ("index.html", ###"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>CardFeed playground</title>
<link rel="icon" type="image/svg+xml" href="playground/icon.svg">
<link rel="stylesheet" href="playground/playground.css">
<link rel="modulepreload" href="playground/stack.js">
<script type="module" src="playground/playground.js"></script>
</head>
<body data-view="deal">
<a class="skip" href="#stack">Skip to the cards</a>
<header>
  <h1><img src="playground/icon.svg" alt="" width="26" height="26">CardFeed</h1>
  <div id="decks" class="segments" role="group" aria-label="Deck"></div>
</header>
<div id="banner" role="status" hidden>
  <span id="banner-text"></span>
  <button id="banner-retry" type="button" class="quiet">Try now</button>
</div>
<form id="access" class="panel" aria-labelledby="access-title" hidden>
  <h2 id="access-title">This service asks for a token</h2>
  <p id="access-text" class="muted small">It is kept in this tab until the tab is closed, and sent to
    this service only.</p>
  <label for="access-token">Token</label>
  <div class="row">
    <input id="access-token" type="password" autocomplete="off" autocapitalize="off"
      spellcheck="false" required aria-describedby="access-text access-problem">
    <button type="submit" class="solid">Use it</button>
  </div>
  <p id="access-problem" class="problems" role="alert"></p>
</form>
<main id="main" tabindex="-1">
  <section id="deal" aria-label="Cards">
    <div id="table">
      <div id="stack" tabindex="0" role="group" aria-roledescription="card stack" aria-label="Hand"
        aria-describedby="keys"></div>
      <div id="empty" hidden>
        <h2 id="empty-title"></h2>
        <p id="empty-text"></p>
        <ul id="empty-reasons" class="small"></ul>
        <button id="empty-again" type="button" class="solid">Look again</button>
      </div>
    </div>
    <div id="dock" role="group" aria-label="Answers"></div>
    <p id="keys"></p>
  </section>
  <div class="column" id="beside">
  <section id="matches" class="panel" aria-labelledby="matches-title">
    <h2 id="matches-title">Matches</h2>
    <p id="matches-none" class="muted"></p>
    <ul id="matches-list"></ul>
  </section>
  <section id="why" class="panel" aria-labelledby="why-title">
    <h2 id="why-title">Why this card?</h2>
    <p id="why-text" class="muted"></p>
    <dl id="why-facts" class="facts"></dl>
    <div id="why-terms"></div>
  </section>
  </div>
  <div class="column" id="controls">
  <section id="setup" class="panel" aria-labelledby="setup-title">
    <h2 id="setup-title">Set up</h2>
    <form id="viewer-form">
      <label for="viewer">Viewer</label>
      <div class="row">
        <input id="viewer" list="viewers" autocomplete="off" autocapitalize="off" spellcheck="false"
          required>
        <button type="submit" class="quiet">Switch</button>
      </div>
      <datalist id="viewers"></datalist>
    </form>
    <div>
      <label for="layout">Layout</label>
      <select id="layout" aria-describedby="layout-summary"></select>
      <p id="layout-summary" class="muted small"></p>
    </div>
    <form id="ranking-form">
      <label for="ranking">Ranking</label>
      <select id="ranking" aria-describedby="ranking-summary"></select>
      <p id="ranking-summary" class="muted small"></p>
      <details>
        <summary>Its parameters</summary>
        <label for="ranking-json" class="visually-hidden">Ranking as JSON</label>
        <textarea id="ranking-json" rows="6" spellcheck="false"></textarea>
      </details>
      <button type="submit" class="quiet">Check and use</button>
      <ul id="ranking-problems" class="problems" role="alert"></ul>
    </form>
  </section>
  <section id="metrics" class="panel" aria-labelledby="metrics-title">
    <h2 id="metrics-title">Service</h2>
    <dl class="figures">
      <div><dt>hands/s</dt><dd id="metric-hands">–</dd></div>
      <div><dt>swipes/s</dt><dd id="metric-swipes">–</dd></div>
      <div><dt>p99</dt><dd id="metric-p99">–</dd></div>
    </dl>
  </section>
  </div>
</main>
<nav id="views" aria-label="Parts of the page">
  <button type="button" data-view="deal" aria-current="page">Cards</button>
  <button type="button" data-view="matches" id="views-matches">Matches</button>
  <button type="button" data-view="why">Why</button>
  <button type="button" data-view="setup">Set up</button>
</nav>
<div id="note" role="status"></div>
<div id="live" class="visually-hidden" aria-live="polite" aria-atomic="true"></div>
<dialog id="match" aria-labelledby="match-title" aria-describedby="match-text">
  <div id="match-portraits" aria-hidden="true"></div>
  <h2 id="match-title">It’s a match</h2>
  <p id="match-text"></p>
  <button id="match-close" type="button" class="solid" autofocus>Keep swiping</button>
  <button id="match-undo" type="button" class="quiet">Take it back</button>
</dialog>
<noscript>This page needs JavaScript, all of which comes from this server.</noscript>
</body>
</html>

"""###),
    ("layout.js", ###"""
// The geometry of a stack, read from a layout document of the service (`/v1/layouts`). Every number
// comes from there; this file only looks values up, draws straight lines between samples and applies
// the rule for drags. It touches no element and reads no clock.

const SIGN = { left: -1, right: 1, up: -1, down: 1 };
const isHorizontal = (direction) => direction === "left" || direction === "right";

const between = (value, low, high) => Math.min(Math.max(value, low), high);

/** `values` at equal steps over 0…1, straight lines between. */
function interpolated(values, share) {
  const place = between(share, 0, 1) * (values.length - 1);
  const before = Math.floor(place);
  const after = Math.min(before + 1, values.length - 1);
  return values[before] + (values[after] - values[before]) * (place - before);
}

export class Layout {
  /** @param document one entry of `layouts` */
  constructor(document) {
    this.name = document.name;
    this.summary = document.summary;
    this.directions = document.directions;
    this.roles = document.roles;
    this.anchor = document.anchor;
    this.spring = document.spring;
    this.jitter = document.jitter;
    const constants = new Map(document.constants.map((each) => [each.name, each]));
    const value = (name) => {
      const constant = constants.get(name);
      if (constant === undefined) {
        throw new Error(`The layout "${document.name}" has no number "${name}".`);
      }
      return constant.value;
    };
    this.lastDistance = value("window.last");
    this.slots = value("slots");
    this.risingDistance = value("rising-distance");
    this.threshold = constants.get("threshold");
    this.rotation = constants.get("rotation");
    this.releaseSpeed = value("release-speed");
    this.flyOutShare = value("fly-out.share");
    this.flyOutShortest = value("fly-out.shortest");
    this.flyOutLongest = value("fly-out.longest");
    this.flyOutSpeed = value("fly-out.speed");
    this.springDuration = value("spring");
    const samples = document.samples;
    this.reach = samples[samples.length - 1].distance;
    const column = (pick) => samples.map((sample) => pick(sample.layer));
    this.scales = column((layer) => layer.scale);
    this.offsets = column((layer) => layer.offset_y ?? layer.offsetY);
    this.alphas = column((layer) => layer.alpha);
    this.depths = column((layer) => layer.z);
  }

  /** How a card is drawn at a distance from the top, in cards; written into `layer`, so that a frame
   * makes no garbage. */
  place(distance, position, layer) {
    const share = Math.max(distance, 0) / this.reach;
    layer.scale = interpolated(this.scales, share);
    layer.y = interpolated(this.offsets, share);
    layer.alpha = interpolated(this.alphas, share);
    const turns = this.jitter.length;
    const index = ((position % turns) + turns) % turns;
    layer.rotation = between(distance, 0, 1) * this.jitter[index];
    return layer;
  }

  /** The order in depth; what has more lies in front. */
  depth(distance) {
    return interpolated(this.depths, Math.max(distance, 0) / this.reach);
  }

  /** How much of the way up the lower cards have come while the top one is dragged by `x`. */
  progress(x) {
    return Math.min(Math.abs(x) / this.risingDistance, 1);
  }

  /** Degrees clockwise of a card that is dragged by `x`. */
  turn(x, size) {
    if (this.rotation.unit === "points per degree") return x / this.rotation.value;
    return this.rotation.value * between((2 * x) / size.width, -1, 1);
  }

  /** The springing card's part of its drag that is left, a while after the release. */
  remainder(seconds) {
    return interpolated(this.spring, seconds / this.springDuration);
  }

  /** How far a card has to be dragged, in points. */
  distanceNeeded(direction, size) {
    if (this.threshold.unit === "points") return this.threshold.value;
    return this.threshold.value * (isHorizontal(direction) ? size.width : size.height);
  }

  /** The allowed direction in which a drag went furthest; null if it went nowhere allowed. */
  direction(drag) {
    let best = null;
    let furthest = 0;
    for (const direction of this.directions) {
      const way = (isHorizontal(direction) ? drag.x : drag.y) * SIGN[direction];
      if (way > furthest) {
        furthest = way;
        best = direction;
      }
    }
    return best;
  }

  /** How opaque the sign of the coming answer is, 1 at the threshold. */
  overlay(drag, direction, size) {
    if (direction === null) return 0;
    const way = Math.abs(isHorizontal(direction) ? drag.x : drag.y);
    return Math.min(way / this.distanceNeeded(direction, size), 1);
  }

  /** Where a released card goes: a direction, or null when it springs back. */
  decision(drag, size) {
    const direction = this.direction(drag);
    if (direction === null) return null;
    const horizontal = isHorizontal(direction);
    const speed = (horizontal ? drag.velocityX : drag.velocityY) * SIGN[direction];
    const way = (horizontal ? drag.x : drag.y) * SIGN[direction];
    const isBeyond = way >= this.distanceNeeded(direction, size);
    return speed >= this.releaseSpeed || (isBeyond && speed > -this.releaseSpeed) ? direction : null;
  }

  /** The drag that a button or a key stands for: one that ended just at the threshold. */
  dragOfButton(direction, size) {
    const way = this.distanceNeeded(direction, size) * SIGN[direction];
    const [x, y] = isHorizontal(direction) ? [way, 0] : [0, way];
    return { x, y, velocityX: 0, velocityY: 0 };
  }

  /** How a card leaves: along the line of its drag, at the speed it was thrown with. */
  flyOut(direction, drag, size) {
    const horizontal = isHorizontal(direction);
    const target = this.flyOutShare * (horizontal ? size.width : size.height) * SIGN[direction];
    const along = horizontal ? drag.x : drag.y;
    const across = horizontal ? drag.y : drag.x;
    // Never steeper than 45°: the card has to leave by its own side.
    const slope = along === 0 ? 0 : between(across / along, -1, 1);
    const x = horizontal ? target : target * slope;
    const y = horizontal ? target * slope : target;
    const speed = (horizontal ? drag.velocityX : drag.velocityY) * SIGN[direction];
    const seconds = Math.max(Math.abs(target) - Math.abs(along), 0) / Math.max(speed, this.flyOutSpeed);
    return {
      x,
      y,
      rotation: this.turn(x, size),
      duration: between(seconds, this.flyOutShortest, this.flyOutLongest),
    };
  }
}

/** The one way by which decisions become swipes, whatever path they come by: a request names the
 * position it is about, and only the one on top may be decided, once. */
export class Gate {
  constructor(veto) {
    this.top = 0;
    this.veto = veto;
  }

  /** @returns "passed", "stale", or an object with the reason of the veto */
  decide(request) {
    if (request.position !== this.top) return "stale";
    const reason = this.veto(request);
    if (reason !== null) return { refused: reason };
    this.top += 1;
    return "passed";
  }

  reset(position) {
    this.top = position;
  }
}

"""###),
    ("panels.js", ###"""
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

"""###),
    ("playground.css", ###"""
/* Calm: two levels of surface, one accent, colour only where it means something. */

:root {
  color-scheme: light dark;
  --paper: #f4f3ef;
  --surface: #ffffff;
  --raised: #ffffff;
  --ink: #1c1b20;
  --muted: #5d5b66;
  --line: #e3e0d8;
  --accent: #3b4cca;
  --on-accent: #ffffff;
  --positive: #0f7048;
  --negative: #b3274a;
  --special: #2358b8;
  --neutral: #5d5b66;
  --shadow: 0 0 0 1px rgb(28 27 32 / 4%), 0 6px 20px rgb(28 27 32 / 9%);
  --placeholder-light: 82%;
  --placeholder-dark: 66%;
  --placeholder-ink: rgb(28 27 32 / 62%);
  --radius: 22px;
  --gap: 16px;
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
}

@media (prefers-color-scheme: dark) {
  :root {
    --paper: #121317;
    --surface: #1d1f25;
  --raised: #3b3e49;
    --ink: #f1f0f5;
    --muted: #a9a8b4;
    --line: #30323b;
    --accent: #a3adff;
    --on-accent: #12142e;
    --positive: #5fd39d;
    --negative: #ff8fa3;
    --special: #8db8ff;
    --neutral: #a9a8b4;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 10px 30px rgb(0 0 0 / 38%);
    --placeholder-light: 34%;
    --placeholder-dark: 22%;
    --placeholder-ink: rgb(255 255 255 / 62%);
  }
}

*,
*::before,
*::after {
  box-sizing: border-box;
}

[hidden] {
  display: none !important;
}

html {
  background: var(--paper);
  color: var(--ink);
  -webkit-text-size-adjust: 100%;
}

body {
  margin: 0;
  min-height: 100dvh;
  display: flex;
  flex-direction: column;
  overflow-x: clip;
}

h1,
h2,
h3,
p,
ul,
dl,
dd {
  margin: 0;
  padding: 0;
}

ul {
  list-style: none;
}

button,
input,
select,
textarea {
  font: inherit;
  color: inherit;
}

:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 2px;
}

.muted {
  color: var(--muted);
}

.small {
  font-size: 0.8125rem;
  line-height: 1.4;
}

.visually-hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

.skip {
  position: absolute;
  left: 12px;
  top: -60px;
  z-index: 300;
  padding: 8px 14px;
  border-radius: 10px;
  background: var(--surface);
  color: var(--ink);
}

.skip:focus {
  top: 12px;
}

.icon {
  display: block;
  width: 26px;
  height: 26px;
  fill: none;
  stroke: currentcolor;
  stroke-width: 2.1;
  stroke-linecap: round;
  stroke-linejoin: round;
}

.more .icon {
  stroke-width: 3.2;
}

/* Frame of the page */

header {
  display: flex;
  align-items: center;
  gap: 12px 20px;
  padding: 12px 16px;
}

h1 {
  display: flex;
  align-items: center;
  gap: 9px;
  font-size: 1.0625rem;
  font-weight: 650;
  letter-spacing: -0.01em;
}

.segments {
  display: flex;
  margin-left: auto;
  padding: 3px;
  border-radius: 13px;
  background: color-mix(in srgb, var(--ink) 7%, transparent);
}

.segments button {
  min-height: 38px;
  padding: 0 14px;
  border: 0;
  border-radius: 10px;
  background: none;
  color: var(--muted);
  font-size: 0.9375rem;
  text-transform: capitalize;
  cursor: pointer;
}

.segments button[aria-pressed="true"] {
  background: var(--raised);
  color: var(--ink);
  font-weight: 600;
  box-shadow: 0 1px 3px rgb(0 0 0 / 14%);
}

#banner {
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 12px;
  margin: 0 16px 8px;
  padding: 8px 14px;
  border-radius: 12px;
  background: color-mix(in srgb, var(--negative) 12%, var(--surface));
  font-size: 0.9375rem;
}

#access {
  display: grid;
  gap: 8px;
  width: min(100% - 32px, 440px);
  margin: 0 auto 12px;
}

#access > h2,
#access p {
  margin: 0;
}

#access label {
  font-size: 0.875rem;
  font-weight: 550;
}

#access button {
  white-space: nowrap;
}

#main:focus {
  outline: none;
}

main {
  flex: 1;
  display: grid;
  gap: var(--gap);
  padding: 0 16px 16px;
}

.quiet,
.solid {
  min-height: 40px;
  padding: 0 16px;
  border: 1px solid var(--line);
  border-radius: 11px;
  background: var(--surface);
  font-size: 0.9375rem;
  font-weight: 550;
  cursor: pointer;
}

.quiet:hover {
  border-color: var(--muted);
}

.quiet.small {
  min-height: 32px;
  padding: 0 10px;
  border-radius: 9px;
  font-size: 0.8125rem;
  color: var(--muted);
}

.solid {
  border-color: transparent;
  background: var(--accent);
  color: var(--on-accent);
}

button:disabled {
  opacity: 0.55;
  cursor: default;
}

/* The stack */

#deal {
  display: flex;
  flex-direction: column;
  align-items: center;
  min-width: 0;
}

#table {
  position: relative;
  width: min(100%, 400px);
  /* The page's other parts above and below take the rest of the height. */
  height: clamp(300px, calc(100dvh - 272px), 580px);
  margin-top: 34px;
}

#stack {
  position: absolute;
  inset: 0;
  border-radius: var(--radius);
}

#stack[data-gestures="all"] .card.top {
  touch-action: none;
}

#stack[data-gestures="horizontal"] .card.top {
  touch-action: pan-y;
}

.is-empty #stack {
  visibility: hidden;
}

.card {
  position: absolute;
  inset: 0;
  display: flex;
  flex-direction: column;
  overflow: hidden;
  border-radius: var(--radius);
  background: var(--surface);
  box-shadow: var(--shadow);
  will-change: transform;
  user-select: none;
  -webkit-user-select: none;
  cursor: grab;
  contain: layout paint style;
}

.held .card.top {
  cursor: grabbing;
}

.media {
  position: relative;
  flex: 1 1 auto;
  min-height: 0;
  background: linear-gradient(
    160deg,
    hsl(var(--hue) 42% var(--placeholder-light)),
    hsl(calc(var(--hue) + 40) 38% var(--placeholder-dark))
  );
}

.media .initials {
  position: absolute;
  inset: 0;
  display: grid;
  place-items: center;
  color: var(--placeholder-ink);
  font-size: 4.5rem;
  font-weight: 600;
  letter-spacing: -0.02em;
}

.media img {
  position: absolute;
  inset: 0;
  width: 100%;
  height: 100%;
  object-fit: cover;
  opacity: 0;
  pointer-events: none;
}

img.loaded {
  opacity: 1 !important;
  transition: opacity 0.25s;
}

.body {
  flex: none;
  padding: 18px 22px 22px;
}

.eyebrow {
  margin-bottom: 2px;
  color: var(--muted);
  font-size: 0.8125rem;
  font-weight: 550;
  letter-spacing: 0.02em;
}

.title {
  font-size: 1.625rem;
  font-weight: 680;
  line-height: 1.2;
  letter-spacing: -0.015em;
  text-wrap: balance;
  overflow-wrap: anywhere;
}

.text {
  margin-top: 6px;
  color: var(--muted);
  white-space: pre-line;
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 3;
  overflow: hidden;
}

.chips {
  display: flex;
  flex-wrap: wrap;
  gap: 6px;
  max-height: 68px;
  margin-top: 12px;
  overflow: hidden;
}

.chips li {
  padding: 3px 11px;
  border-radius: 99px;
  background: color-mix(in srgb, var(--ink) 7%, transparent);
  font-size: 0.8125rem;
}

[data-kind="product"] .text {
  color: var(--ink);
  font-size: 1.125rem;
  font-weight: 600;
}

[data-kind="question"] .media,
[data-kind="other"] .media:has(img[hidden]) {
  display: none;
}

[data-kind="question"] .body,
[data-kind="other"] .media:has(img[hidden]) + .body {
  flex: 1;
  display: flex;
  flex-direction: column;
  justify-content: center;
  gap: 12px;
  padding: 28px;
  text-align: center;
}

[data-kind="question"] .title {
  font-size: 1.875rem;
}

[data-kind="question"] .title.long {
  font-size: 1.25rem;
}

[data-kind="question"] .eyebrow {
  position: absolute;
  inset: 24px 24px auto;
}

.reverse {
  padding-top: 20px;
  border-top: 1px solid var(--line);
}

.answer {
  overflow-wrap: anywhere;
}

.reverse .answer {
  color: var(--accent);
  font-size: 1.5rem;
  font-weight: 620;
}

.remark {
  margin-top: 6px;
  color: var(--muted);
}

.show {
  align-self: center;
  min-height: 46px;
  margin-top: 12px;
  padding: 0 22px;
  border: 0;
  border-radius: 14px;
  background: var(--accent);
  color: var(--on-accent);
  font-weight: 600;
  cursor: pointer;
}

/* Lower cards fade into the page without letting those below them shine through. */
.veil {
  position: absolute;
  inset: 0;
  background: var(--paper);
  opacity: 0;
  pointer-events: none;
}

.stamp {
  position: absolute;
  top: 26px;
  padding: 4px 14px;
  border: 3px solid currentcolor;
  border-radius: 12px;
  background: color-mix(in srgb, var(--surface) 88%, transparent);
  color: var(--neutral);
  font-size: 1.375rem;
  font-weight: 750;
  opacity: 0;
  pointer-events: none;
}

.stamp[data-direction="right"] {
  left: 22px;
  rotate: -10deg;
}

.stamp[data-direction="left"] {
  right: 22px;
  rotate: 10deg;
}

.stamp:not([data-direction="left"], [data-direction="right"]) {
  left: 50%;
  translate: -50%;
}

.stamp[data-direction="up"] {
  top: auto;
  bottom: 38%;
}

[data-tone="positive"] {
  color: var(--positive);
}

[data-tone="negative"] {
  color: var(--negative);
}

[data-tone="special"] {
  color: var(--special);
}

[data-tone="neutral"] {
  color: var(--neutral);
}

#empty {
  position: absolute;
  inset: 0;
  display: flex;
  flex-direction: column;
  align-items: center;
  justify-content: center;
  gap: 10px;
  padding: 28px;
  border: 2px dashed var(--line);
  border-radius: var(--radius);
  text-align: center;
}

#empty h2 {
  font-size: 1.25rem;
  text-wrap: balance;
}

h1 img {
  width: 26px;
  height: 26px;
}

#empty li,
#empty p {
  color: var(--muted);
  text-wrap: pretty;
}

#empty button {
  margin-top: 10px;
}

/* Buttons below the stack */

#dock {
  position: relative;
  display: flex;
  align-items: flex-start;
  justify-content: center;
  gap: 14px;
  width: min(100%, 420px);
  margin-top: 20px;
}

button.answer {
  display: grid;
  justify-items: center;
  gap: 6px;
  min-width: 58px;
  padding: 0;
  border: 0;
  background: none;
  font-size: 0.8125rem;
  cursor: pointer;
  touch-action: manipulation;
}

button.answer .label {
  white-space: nowrap;
  color: var(--muted);
}

button.answer .icon {
  width: 58px;
  height: 58px;
  padding: 16px;
  border: 1px solid var(--line);
  border-radius: 50%;
  background: var(--surface);
}

button.answer:hover .icon {
  border-color: currentcolor;
}

button.answer:active .icon {
  scale: 0.94;
}

button.answer[aria-disabled="true"] {
  opacity: 0.5;
}

button.answer:focus-visible {
  outline: none;
}

button.answer:focus-visible .icon {
  outline: 3px solid var(--accent);
  outline-offset: 2px;
}

button.answer.minor {
  min-width: 44px;
  padding-top: 7px;
  color: var(--muted);
}

button.answer.minor .icon {
  width: 44px;
  height: 44px;
  padding: 11px;
  margin-bottom: 7px;
}

.more {
  position: relative;
}

.menu {
  position: absolute;
  right: 0;
  bottom: calc(100% + 8px);
  z-index: 120;
  display: grid;
  min-width: 190px;
  padding: 6px;
  border: 1px solid var(--line);
  border-radius: 14px;
  background: var(--surface);
  box-shadow: var(--shadow);
}

.menu button {
  min-height: 42px;
  padding: 0 12px;
  border: 0;
  border-radius: 9px;
  background: none;
  text-align: left;
  cursor: pointer;
}

.menu button:hover {
  background: color-mix(in srgb, var(--ink) 7%, transparent);
}

#keys {
  display: none;
  margin-top: 18px;
  color: var(--muted);
  font-size: 0.8125rem;
}

#keys span {
  margin: 0 7px;
}

kbd {
  padding: 1px 6px;
  border: 1px solid var(--line);
  border-radius: 5px;
  background: var(--surface);
  font: inherit;
}

/* Panels */

.panel {
  min-width: 0;
  padding: 18px;
  border: 1px solid var(--line);
  border-radius: 18px;
  background: var(--surface);
}

.panel > h2 {
  margin-bottom: 10px;
  font-size: 1rem;
  font-weight: 650;
}

#matches-list {
  display: grid;
  gap: 12px;
}

#matches-list li {
  display: flex;
  align-items: center;
  gap: 11px;
}

.words {
  flex: 1;
  display: grid;
  min-width: 0;
}

.words > * {
  overflow: hidden;
  white-space: nowrap;
  text-overflow: ellipsis;
}

.words .name {
  font-weight: 550;
}

.portrait {
  position: relative;
  flex: none;
  display: grid;
  place-items: center;
  width: 44px;
  height: 44px;
  overflow: hidden;
  border-radius: 50%;
  background: linear-gradient(
    160deg,
    hsl(var(--hue) 42% var(--placeholder-light)),
    hsl(calc(var(--hue) + 40) 38% var(--placeholder-dark))
  );
  color: var(--placeholder-ink);
  font-size: 0.9375rem;
  font-weight: 600;
}

.portrait img {
  position: absolute;
  inset: 0;
  width: 100%;
  height: 100%;
  object-fit: cover;
  opacity: 0;
}

.facts {
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 5px 14px;
  margin-top: 12px;
  font-size: 0.875rem;
}

.facts dt {
  color: var(--muted);
}

.facts dd {
  text-align: right;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}

#why-text::first-letter {
  text-transform: uppercase;
}

#why-terms h3 {
  margin: 16px 0 6px;
  font-size: 0.875rem;
  font-weight: 600;
}

.terms {
  display: grid;
  gap: 8px;
  font-size: 0.875rem;
}

.terms li {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: 3px 10px;
}

.terms .name {
  overflow-wrap: anywhere;
}

.terms .number {
  font-variant-numeric: tabular-nums;
}

.bar {
  grid-column: 1 / -1;
  width: calc(var(--share) * 100%);
  min-width: 2px;
  height: 5px;
  border-radius: 3px;
  background: var(--accent);
}

.bar.minus {
  background: var(--negative);
}

#setup {
  display: grid;
  gap: 18px;
  align-content: start;
}

#setup > h2 {
  margin-bottom: -6px;
}

#setup label {
  display: block;
  margin-bottom: 5px;
  font-size: 0.875rem;
  font-weight: 550;
}

#setup form {
  display: grid;
  justify-items: start;
}

#setup .small {
  margin-top: 6px;
}

.row {
  display: flex;
  gap: 8px;
  width: 100%;
}

input,
select,
textarea {
  width: 100%;
  min-width: 0;
  min-height: 40px;
  padding: 7px 11px;
  border: 1px solid color-mix(in srgb, var(--muted) 55%, transparent);
  border-radius: 11px;
  background: var(--paper);
  font-size: 0.9375rem;
}

textarea {
  display: block;
  min-height: 120px;
  font: 0.8125rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  resize: vertical;
}

details {
  width: 100%;
  margin: 10px 0;
}

summary {
  margin-bottom: 8px;
  color: var(--muted);
  font-size: 0.875rem;
  cursor: pointer;
}

.problems {
  display: grid;
  gap: 6px;
  width: 100%;
  font-size: 0.875rem;
  color: var(--negative);
  overflow-wrap: anywhere;
}

.problems:not(:empty) {
  margin-top: 12px;
}

.figures {
  display: grid;
  grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto;
  gap: 8px;
}

.figures div {
  display: flex;
  flex-direction: column-reverse;
}

.figures dt {
  color: var(--muted);
  font-size: 0.8125rem;
}

.figures dd {
  font-size: 1.0625rem;
  font-weight: 620;
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
}

/* Words that come and go */

#note {
  position: fixed;
  left: 50%;
  bottom: 84px;
  z-index: 250;
  max-width: min(92vw, 420px);
  padding: 10px 18px;
  border-radius: 14px;
  background: var(--ink);
  color: var(--paper);
  font-size: 0.9375rem;
  text-align: center;
  translate: -50% 12px;
  opacity: 0;
  visibility: hidden;
  transition: opacity 0.2s, translate 0.2s, visibility 0.2s;
  pointer-events: none;
}

#note.shown {
  translate: -50%;
  opacity: 1;
  visibility: visible;
}

#match {
  width: min(92vw, 380px);
  padding: 34px 28px 28px;
  border: 0;
  border-radius: 26px;
  background: var(--surface);
  color: var(--ink);
  text-align: center;
  box-shadow: var(--shadow);
}

#match[open] {
  display: grid;
  gap: 10px;
}

#match::backdrop {
  background: rgb(18 19 23 / 62%);
}

#match-portraits {
  display: flex;
  justify-content: center;
  margin-bottom: 10px;
}

#match-portraits .portrait {
  width: 104px;
  height: 104px;
  border: 4px solid var(--surface);
  font-size: 2rem;
}

#match-portraits .portrait + .portrait {
  margin-left: -18px;
}

#match h2 {
  font-size: 1.625rem;
  letter-spacing: -0.015em;
}

#match p {
  margin-bottom: 12px;
  color: var(--muted);
}

/* One part at a time where there is no room for more */

#views {
  position: sticky;
  bottom: 0;
  z-index: 150;
  display: grid;
  grid-template-columns: repeat(4, 1fr);
  border-top: 1px solid var(--line);
  background: var(--surface);
  padding-bottom: env(safe-area-inset-bottom);
}

#views button {
  position: relative;
  min-height: 54px;
  padding: 0 4px;
  border: 0;
  background: none;
  color: var(--muted);
  font-size: 0.875rem;
  cursor: pointer;
}

#views [aria-current] {
  color: var(--accent);
  font-weight: 600;
}

#views [aria-current]::before {
  content: "";
  position: absolute;
  inset: 0 28% auto;
  height: 3px;
  border-radius: 0 0 3px 3px;
  background: currentcolor;
}

#views :focus-visible {
  outline-offset: -4px;
}

noscript {
  padding: 16px;
}

@media (max-width: 899px) {
  .column {
    display: contents;
  }

  body:not([data-view="deal"]) #deal,
  body:not([data-view="matches"]) #matches,
  body:not([data-view="why"]) #why,
  body:not([data-view="setup"]) :is(#setup, #metrics) {
    display: none;
  }

  main {
    align-content: start;
  }
}

@media (max-width: 419px) {
  h1 {
    display: none;
  }

  .segments {
    width: 100%;
  }

  .segments button {
    flex: 1;
    padding: 0 6px;
  }

  #dock {
    gap: 6px;
  }
}

@media (min-width: 1120px) {
  main#main {
    grid-template-columns: minmax(220px, 270px) minmax(400px, 1fr) minmax(240px, 310px);
    grid-template-rows: auto;
    grid-template-areas: "controls deal beside";
  }
}

@media (min-width: 900px) {
  #views {
    display: none;
  }

  header {
    width: 100%;
    max-width: 1320px;
    margin: 0 auto;
    padding: 18px 32px;
  }

  main {
    grid-template-columns: minmax(400px, 1fr) minmax(240px, 310px);
    grid-template-rows: auto 1fr;
    grid-template-areas:
      "deal beside"
      "deal controls";
    gap: 20px 32px;
    width: 100%;
    max-width: 1320px;
    margin: 0 auto;
    padding: 8px 32px 32px;
    align-items: start;
  }

  #deal {
    grid-area: deal;
  }

  .column {
    display: grid;
    gap: 20px;
  }

  #controls {
    grid-area: controls;
  }

  #beside {
    grid-area: beside;
  }

  #matches-list {
    max-height: 264px;
    overflow-y: auto;
  }

  #note {
    bottom: 32px;
  }
}

@media (min-width: 900px) and (hover: hover) {
  #keys {
    display: block;
  }
}

@media (prefers-reduced-motion: reduce) {
  *,
  *::before,
  *::after {
    transition: none !important;
    animation: none !important;
    scroll-behavior: auto !important;
  }
}

@media (forced-colors: active) {
  .card,
  .panel,
  .segments button[aria-pressed="true"] {
    border: 1px solid;
  }
}

"""###),
    ("playground.js", ###"""
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

"""###),
    ("service.js", ###"""
// Talks to the service: JSON, problems, server-sent events, metrics. Knows nothing of the page.

import { send } from "./access.js";

/** What the service, or the way to it, said no to. */
export class ServiceError extends Error {
  /** @param status of HTTP; 0 when no answer came at all */
  constructor(status, problem, retryAfter) {
    super(problem.detail || problem.title || `The service answered with ${status}.`);
    this.status = status;
    this.kind = String(problem.type ?? "").split("/").pop();
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later: no answer came, or the service cannot now. */
  get isTemporary() {
    return this.status === 0 || this.status === 408 || this.status >= 500;
  }

  /** Whether the service itself failed, and may fail at this request for ever. */
  get isFault() {
    return this.status >= 500 && ![502, 503, 504].includes(this.status);
  }
}

const PATIENCE = 15_000;

/** One request; the answer's JSON, or a `ServiceError`. */
export async function request(method, path, { key, body, text, keepalive } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key !== undefined) headers["Idempotency-Key"] = key;
  let response;
  let content;
  try {
    response = await send(path, () => ({
      method,
      headers: text ? {} : headers,
      body,
      keepalive,
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    }));
    content = await response.text();
  } catch {
    throw new ServiceError(0, { title: "The service cannot be reached." }, null);
  }
  if (text && response.ok) return content;
  let json = null;
  try {
    json = content === "" ? {} : JSON.parse(content);
  } catch {
    if (response.ok) throw new ServiceError(502, { title: "The answer is no JSON." }, null);
  }
  if (response.ok) return json;
  const seconds = Number(response.headers.get("Retry-After"));
  throw new ServiceError(response.status, json ?? {}, seconds > 0 ? seconds : null);
}

export const get = (path) => request("GET", path);

/** The path of a feed, or of something below it. */
export const feedPath = (feed, ...parts) =>
  ["v1/feeds", encodeURIComponent(feed), ...parts.map(encodeURIComponent)].join("/");

/** A new event id: 128 random bits in hexadecimal. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Follows a stream of server-sent events until it is closed. After a break it goes on behind the last
 * event it has seen, also where the browser's own client would have given up. */
export class EventStream {
  constructor(path, onEvent) {
    this.path = path;
    this.onEvent = onEvent;
    this.lastID = "";
    this.retry = 1000;
    this.failures = 0;
    this.abort = new AbortController();
    this.run();
  }

  close() {
    this.abort.abort();
  }

  async run() {
    while (!this.abort.signal.aborted) {
      try {
        await this.follow();
        this.failures = 0;
      } catch {
        this.failures = Math.min(this.failures + 1, 5);
      }
      if (this.abort.signal.aborted) return;
      await new Promise((done) => setTimeout(done, this.retry * 2 ** this.failures));
    }
  }

  async follow() {
    const headers = { Accept: "text/event-stream" };
    if (this.lastID !== "") headers["Last-Event-ID"] = this.lastID;
    const response = await send(this.path, () => ({
      headers,
      cache: "no-store",
      signal: this.abort.signal,
    }));
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
    this.failures = 0;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += value;
      // A carriage return at the end may be half of a line end.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop();
      for (const line of lines) this.read(line);
    }
  }

  read(line) {
    if (line === "") {
      const { event = "message", data } = this.pending ?? {};
      this.pending = undefined;
      if (data !== undefined) this.onEvent(event, data);
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id" && !value.includes("\0")) this.lastID = value;
    if (field === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
    if (field !== "event" && field !== "data") return;
    this.pending ??= {};
    if (field === "event") this.pending.event = value;
    else this.pending.data = this.pending.data === undefined ? value : `${this.pending.data}\n${value}`;
  }
}

/** The samples of a text in the Prometheus format: `{name, labels, value}`. */
export function parseMetrics(text) {
  const samples = [];
  for (const line of text.split("\n")) {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/.exec(line);
    if (match === null) continue;
    const labels = {};
    for (const [, name, value] of (match[2] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
      labels[name] = value.replace(/\\(.)/g, (_, each) => (each === "n" ? "\n" : each));
    }
    const value = match[3] === "+Inf" ? Infinity : Number(match[3]);
    samples.push({ name: match[1], labels, value });
  }
  return samples;
}

"""###),
    ("session.js", ###"""
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

"""###),
    ("stack.js", ###"""
// Draws a stack and moves it. State changes at once; pictures follow in one animation frame, which
// only writes: sizes come from an observer, so nothing is measured while a card moves.

import { CardView } from "./cards.js";

const SPARE_VIEWS = 3;
/** A press that moves less, in points, is a tap. */
const TAP = 6;
/** Speed is taken over so much of a drag's end, in milliseconds. */
const SPEED_WINDOW = 80;
/** From here on a card that flies fades, as a share of its way. */
const FADES_FROM = 0.35;
/** Where motion is not wanted cards fade instead, in seconds. */
const FADE = 0.15;

const floorMod = (value, count) => ((value % count) + count) % count;
const easeOut = (share) => (1 - share) * (1 - share);

export class Stack {
  /**
   * @param host the element that cards lie in
   * @param hooks `answer(direction)`, `mayAnswer()`, `decide(request)`, `tapped()`, `settled()`,
   * `reveal()`
   */
  constructor(host, hooks) {
    this.host = host;
    this.hooks = hooks;
    this.size = { width: 1, height: 1 };
    this.layer = { scale: 1, y: 0, alpha: 1, rotation: 0 };
    this.entries = [];
    this.top = 0;
    this.drag = { x: 0, y: 0, velocityX: 0, velocityY: 0 };
    this.pointer = null;
    this.spring = null;
    this.settling = null;
    this.flights = [];
    this.views = [];
    this.spares = [];
    this.frame = 0;
    this.motion = matchMedia("(prefers-reduced-motion: reduce)");
    this.tick = this.tick.bind(this);
    new ResizeObserver(([entry]) => {
      this.size = { width: entry.contentRect.width || 1, height: entry.contentRect.height || 1 };
      this.invalidate();
    }).observe(host);
    host.addEventListener("pointerdown", (event) => this.pressed(event));
    host.addEventListener("pointermove", (event) => this.moved(event));
    host.addEventListener("pointerup", (event) => this.released(event));
    for (const name of ["pointercancel", "lostpointercapture"]) {
      host.addEventListener(name, (event) => this.cancelled(event));
    }
  }

  get isCalm() {
    return this.motion.matches;
  }

  setLayout(layout) {
    this.layout = layout;
    for (const view of [...this.views, ...this.spares]) view.element.remove();
    for (const flight of this.flights) flight.view.element.remove();
    this.flights = [];
    const build = () => {
      const view = new CardView(() => this.hooks.reveal());
      this.host.append(view.element);
      return view;
    };
    this.views = Array.from({ length: layout.slots }, build);
    this.spares = Array.from({ length: SPARE_VIEWS }, build);
    const isVertical = layout.directions.some((each) => each === "up" || each === "down");
    this.host.dataset.gestures = isVertical ? "all" : "horizontal";
    this.pointer = null;
    this.rest();
    this.refresh();
  }

  rest() {
    this.drag = { x: 0, y: 0, velocityX: 0, velocityY: 0 };
    this.spring = null;
    this.settling = null;
  }

  // Contents

  /** Shows cards, the first one on top at a position. A card that a finger holds stays until it is let
   * go. */
  show(entries, top, deck) {
    if (this.pointer !== null && entries[0] !== this.entries[0]) {
      this.deferred = [entries, top, deck];
      return;
    }
    this.deferred = null;
    this.deck = deck;
    this.entries = entries.slice();
    this.top = top;
    this.refresh();
  }

  slot(position) {
    return floorMod(position, this.views.length);
  }

  get topView() {
    const view = this.views[this.slot(this.top)];
    return view !== undefined && view.entry !== null && view.entry === this.entries[0] ? view : null;
  }

  refresh() {
    const count = Math.min(this.entries.length, this.layout.lastDistance + 2, this.views.length);
    const used = new Set();
    for (let distance = 0; distance < count; distance += 1) {
      const slot = this.slot(this.top + distance);
      const view = this.views[slot];
      used.add(slot);
      // Before the address is set, or it has no effect.
      view.image.loading = distance <= 1 ? "eager" : "lazy";
      if (view.entry !== this.entries[distance]) view.fill(this.entries[distance], this.deck);
      view.setTop(distance === 0);
      view.element.style.zIndex = String(10 + Math.round(10 * this.layout.depth(distance)));
      if (distance > 0) view.setStamp(null, 0);
    }
    this.views.forEach((view, slot) => {
      if (!used.has(slot) && view.entry !== null) view.clear();
    });
    this.invalidate();
  }

  // Movements

  /** The top card leaves; the page has decided. The next one is on top when `show` says so. */
  flyOut(answer, direction, drag) {
    const slot = this.slot(this.top);
    const view = this.views[slot];
    const spare = this.spares.shift() ?? this.land(this.flights[0]);
    this.views[slot] = spare;
    const layout = this.layout;
    const to = layout.flyOut(direction, drag, this.size);
    const { x, y } = this.drag;
    const progress = layout.progress(x);
    view.setTop(false);
    view.element.style.zIndex = "90";
    view.setStamp(answer, 1);
    this.flights.push({
      view, to,
      x, y,
      rotation: layout.turn(x, this.size),
      start: null,
    });
    const left = 1 - progress + (this.settling === null ? 0 : this.settling.now);
    this.rest();
    this.settling = { from: Math.min(left, 2), now: left, start: null, duration: to.duration };
    this.invalidate();
  }

  land(flight) {
    this.flights.splice(this.flights.indexOf(flight), 1);
    flight.view.clear();
    return flight.view;
  }

  /** A card that went comes back the way it left; `show` has put it on top. */
  flyIn(direction) {
    const drag = this.layout.dragOfButton(direction, this.size);
    const from = this.layout.flyOut(direction, drag, this.size);
    this.rest();
    this.spring = { x: from.x, y: from.y, rise: 1, start: null, returns: true };
    if (this.isCalm) this.spring = { x: 0, y: 0, rise: 0, start: null, returns: true };
    else this.drag = { ...this.drag, x: from.x, y: from.y };
    this.invalidate();
  }

  springBack() {
    const { x, y } = this.drag;
    this.spring = { x, y, rise: 0, start: null, returns: false };
    this.invalidate();
  }

  get isSettled() {
    return this.flights.length === 0 && this.settling === null;
  }

  // Fingers, pens and mice

  pressed(event) {
    if (this.pointer !== null || !event.isPrimary || event.button !== 0) return;
    const view = this.topView;
    if (view === null || !view.element.contains(event.target)) return;
    if (event.target.closest("button, a") !== null) return;
    this.host.setPointerCapture(event.pointerId);
    this.pointer = {
      id: event.pointerId,
      position: this.top,
      // A card caught on its way back goes on from where it is.
      x: event.clientX - this.drag.x,
      y: event.clientY - this.drag.y,
      startX: event.clientX,
      startY: event.clientY,
      isTap: true,
      trail: [{ x: event.clientX, y: event.clientY, time: event.timeStamp }],
    };
    this.spring = null;
    this.host.classList.add("held");
  }

  moved(event) {
    const pointer = this.pointer;
    if (pointer === null || event.pointerId !== pointer.id) return;
    const { clientX, clientY, timeStamp } = event;
    if (Math.hypot(clientX - pointer.startX, clientY - pointer.startY) >= TAP) pointer.isTap = false;
    this.drag.x = clientX - pointer.x;
    this.drag.y = clientY - pointer.y;
    pointer.trail.push({ x: clientX, y: clientY, time: timeStamp });
    while (pointer.trail[0].time < timeStamp - SPEED_WINDOW) pointer.trail.shift();
    this.invalidate();
  }

  released(event) {
    const pointer = this.pointer;
    if (pointer === null || event.pointerId !== pointer.id) return;
    this.moved(event);
    this.letGo();
    const first = pointer.trail[0];
    const last = pointer.trail[pointer.trail.length - 1];
    const seconds = (last.time - first.time) / 1000;
    const isMoving = seconds > 0.004;
    const drag = {
      x: this.drag.x,
      y: this.drag.y,
      velocityX: isMoving ? (last.x - first.x) / seconds : 0,
      velocityY: isMoving ? (last.y - first.y) / seconds : 0,
    };
    if (this.deferred !== null && this.deferred !== undefined) {
      this.springBack();
      this.show(...this.deferred);
      return;
    }
    const direction = pointer.isTap ? null : this.layout.decision(drag, this.size);
    const isTaken = direction !== null && this.hooks.decide({
      position: pointer.position, direction, path: "gesture", drag,
    });
    if (!isTaken) this.springBack();
    if (pointer.isTap) this.hooks.tapped();
  }

  cancelled(event) {
    if (this.pointer === null || event.pointerId !== this.pointer.id) return;
    this.letGo();
    this.springBack();
    if (this.deferred) this.show(...this.deferred);
  }

  letGo() {
    this.pointer = null;
    this.host.classList.remove("held");
  }

  // Frames

  invalidate() {
    if (this.frame === 0) this.frame = requestAnimationFrame(this.tick);
  }

  tick(now) {
    this.frame = 0;
    if (this.layout === undefined) return;
    const rise = this.advanceSpring(now);
    const settled = this.advanceSettling(now);
    this.drawPile(rise, settled);
    this.drawFlights(now);
    if (this.spring !== null || this.settling !== null || this.flights.length > 0) this.invalidate();
    else if (this.wasMoving) this.hooks.settled();
    this.wasMoving = !this.isSettled;
  }

  /** @returns how much of the way up the lower cards have come */
  advanceSpring(now) {
    const spring = this.spring;
    if (spring === null) return this.layout.progress(this.drag.x);
    spring.start ??= now;
    const seconds = (now - spring.start) / 1000;
    spring.share = this.isCalm ? 1 - Math.min(seconds / FADE, 1) : this.layout.remainder(seconds);
    const isStill = this.isCalm && !spring.returns;
    const left = isStill ? 0 : spring.share;
    this.drag.x = spring.x * left;
    this.drag.y = spring.y * left;
    if (left <= 0) this.spring = null;
    return Math.max(this.layout.progress(this.drag.x), spring.rise * left);
  }

  /** @returns how far the cards still are below their places, in cards */
  advanceSettling(now) {
    const settling = this.settling;
    if (settling === null) return 0;
    settling.start ??= now;
    const share = Math.min((now - settling.start) / 1000 / settling.duration, 1);
    settling.now = this.isCalm ? 0 : settling.from * easeOut(share);
    if (share >= 1) this.settling = null;
    return settling.now;
  }

  drawPile(rise, settled) {
    const { layout, size, layer, drag } = this;
    const count = Math.min(this.entries.length, layout.lastDistance + 2, this.views.length);
    for (let distance = 0; distance < count; distance += 1) {
      const position = this.top + distance;
      const view = this.views[this.slot(position)];
      if (view.entry === null) continue;
      const depth = distance === 0 ? settled : distance - rise + settled;
      layout.place(depth, position, layer);
      // Cards come out of nothing behind the last place.
      let alpha = Math.min(Math.max(layout.lastDistance + 1 - depth, 0), 1);
      // The anchor stays where it is; the page scales about the centre.
      let y = layer.y + size.height * (layout.anchor.y - 0.5) * (1 - layer.scale);
      let x = size.width * (layout.anchor.x - 0.5) * (1 - layer.scale);
      let rotation = this.isCalm ? 0 : layer.rotation;
      if (distance === 0) {
        x += drag.x;
        y += drag.y;
        if (!this.isCalm) rotation += layout.turn(drag.x, size);
        if (this.spring?.returns) alpha *= 1 - this.spring.share * this.spring.share;
        this.drawStamp(view);
      }
      view.draw(x, y, rotation, layer.scale, 1 - layer.alpha, alpha);
    }
  }

  drawStamp(view) {
    const { layout, size, drag } = this;
    const mayAnswer = this.pointer !== null || (this.spring !== null && !this.spring.returns);
    const direction = mayAnswer && this.hooks.mayAnswer() ? layout.direction(drag) : null;
    if (direction === null) view.setStamp(view.stamped, 0);
    else view.setStamp(this.hooks.answer(direction), layout.overlay(drag, direction, size));
  }

  drawFlights(now) {
    for (let index = this.flights.length - 1; index >= 0; index -= 1) {
      const flight = this.flights[index];
      flight.start ??= now;
      const duration = this.isCalm ? FADE : flight.to.duration;
      const share = Math.min((now - flight.start) / 1000 / duration, 1);
      if (share >= 1) {
        this.spares.push(this.land(flight));
        continue;
      }
      const way = this.isCalm ? 0 : share;
      const fade = this.isCalm ? share : Math.max(0, (share - FADES_FROM) / (1 - FADES_FROM));
      flight.view.draw(
        flight.x + (flight.to.x - flight.x) * way,
        flight.y + (flight.to.y - flight.y) * way,
        this.isCalm ? 0 : flight.rotation + (flight.to.rotation - flight.rotation) * way,
        1, 0, 1 - fade);
    }
  }
}

"""###),
  ]
}
