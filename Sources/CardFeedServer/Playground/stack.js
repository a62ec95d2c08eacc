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
