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
