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
