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
