#!/usr/bin/env python3
"""Attacks the HTTP service over raw sockets, and says how it bore it.

Starts `cardfeed serve --demo` on a free port of the loopback interface (or takes a running one with
--port), sends it malformed and hostile requests, and fails if it crashes, hangs, answers with a status
of 500 or above that is not 503, or takes memory that it does not give back. Everything that is random
follows from --seed. Needs nothing but Python.
"""

import argparse
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time

PATHS = [
    "/healthz", "/readyz", "/metrics", "/openapi.json", "/", "/v1/feeds", "/v1/layouts",
    "/v1/strategies?stage=ranking", "/v1/feeds/dating/viewers/%s/hand",
    "/v1/feeds/dating/viewers/%s/matches", "/v1/feeds/quiz/viewers/%s/hand",
    "/v1/feeds/product/viewers/%s/allowances", "/v1/feeds/dating/cards/%s", "/v1/feeds/none/cards/x",
]
POSTS = [
    "/v1/feeds/dating/viewers/%s/swipes", "/v1/feeds/dating/viewers/%s/rewinds",
    "/v1/feeds/dating/viewers/%s/impressions", "/v1/feeds/dating/viewers/%s/blocks",
    "/v1/feeds/dating/cards", "/v1/feeds/dating/config/check", "/v1/feeds/dating/cards/withdrawals",
]
BODIES = [
    b"", b"{}", b"[]", b"null", b'{"card":"a","answer":"like"}', b'{"card":1}', b"{" * 5000,
    b"[" * 100000, b'{"card":"\xff\xfe"}', b'{"card":"a","card":"b"}', b'{"a":1e999999}',
    b'{"id":"x"}\n{"id":"y"}\n{', b"\x00" * 64, b'"' + b"a" * 65536 + b'"', b'{"id":"\\ud800"}',
]


class Client:
    """One connection. Every wait has an end."""

    def __init__(self, port, timeout):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.settimeout(timeout)

    def send(self, data):
        """Whether everything could be sent; a server that has seen enough may close."""
        try:
            self.socket.sendall(data)
            return True
        except OSError:
            return False

    def statuses(self, limit=1 << 20):
        """The statuses of all answers until the server closes, or None if it did neither."""
        data = b""
        try:
            while len(data) < limit:
                piece = self.socket.recv(65536)
                if not piece:
                    break
                data += piece
        except socket.timeout:
            return None
        except OSError:
            pass
        return [int(code) for code in re.findall(rb"HTTP/1\.[01] (\d{3}) ", data)]

    def close(self):
        self.socket.close()


class Report:
    """What came of the requests, and the connections that the server has not answered yet."""

    MOST_PARKED = 64

    def __init__(self):
        self.parked = []
        self.lock = threading.Lock()
        self.counts = {}
        self.problems = []
        self.requests = 0

    def note(self, attack, statuses, sent):
        with self.lock:
            counts = self.counts.setdefault(attack, {})
            self.requests += 1
            for status in statuses or ["closed"]:
                counts[status] = counts.get(status, 0) + 1
                if isinstance(status, int) and status >= 500 and status not in (501, 503, 505):
                    self.problem(f"{attack}: status {status}", sent)

    def park(self, attack, client, sent):
        """Keeps a connection on which the server still waits for more; the oldest ones are closed."""
        with self.lock:
            counts = self.counts.setdefault(attack, {})
            counts["waits"] = counts.get("waits", 0) + 1
            self.requests += 1
            self.parked.append((attack, client, sent))
            oldest = self.parked[: -self.MOST_PARKED]
            del self.parked[: -self.MOST_PARKED]
        for _, client, _ in oldest:
            client.close()

    def settle(self, seconds):
        """Every connection that waits has to be answered or closed by the server within a time."""
        start = time.monotonic()
        count = len(self.parked)
        for attack, client, sent in self.parked:
            client.socket.settimeout(max(0.1, start + seconds - time.monotonic()))
            statuses = client.statuses()
            client.close()
            if statuses is None:
                self.problem(f"{attack}: neither answered nor closed in {seconds} s", sent)
            elif [status for status in statuses if status in (500, 502, 504)]:
                self.problem(f"{attack}: status {statuses}", sent)
        print(f"unfinished requests: the last {count} were all settled after "
              f"{time.monotonic() - start:.1f} s", flush=True)

    def problem(self, what, sent=b""):
        if len(self.problems) < 50:
            shown = sent if len(sent) < 400 else sent[:400] + b"..."
            self.problems.append(f"{what}: {shown!r}")


def head(method, path, fields=()):
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name}: {value}" for name, value in fields]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def any_path(random, paths=PATHS):
    name = random.choice(
        ["me", "%00", "a%2fb", "%ff%fe", "%", "%zz", "..", "%2e%2e", "x" * 300, "%C3%A9", "", "a b"])
    path = random.choice(paths)
    return path % name if "%s" in path else path


def random_bytes(random):
    return bytes(random.randrange(256) for _ in range(random.randrange(1, 2000))) + b"\r\n\r\n"


def truncated(random):
    whole = head("GET", any_path(random), [("Accept", "*/*")])
    return whole[: random.randrange(1, len(whole))]


def mutated(random):
    body = random.choice(BODIES)
    fields = [("Content-Type", "application/json"), ("Content-Length", str(len(body))),
              ("Idempotency-Key", "k%d" % random.randrange(10)), ("Connection", "close")]
    data = bytearray(head("POST", any_path(random, POSTS), fields) + body)
    for _ in range(random.randrange(1, 8)):
        at = random.randrange(len(data))
        kind = random.randrange(3)
        if kind == 0:
            data[at] = random.randrange(256)
        elif kind == 1:
            del data[at]
        else:
            data[at:at] = bytes([random.choice(b"\r\n\x00 :;,\"\\\xff\x7f%/")])
    return bytes(data)


def well_formed(random):
    body = random.choice(BODIES)
    method = random.choice(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "BREW", "get"])
    fields = [("Content-Length", str(len(body))), ("Connection", "close"),
              ("Content-Type", random.choice(
                  ["application/json", "application/x-ndjson", "text/plain", "", "a" * 3000]))]
    return head(method, any_path(random, PATHS + POSTS), fields) + body


def chunked(random):
    size = random.choice(
        ["0", "5", "-1", "ffffffffffffffff", "7fffffffffffffff", "zz", "", "5;ext=" + "x" * 5000,
         "0x5", "00000000000000005", " 5", "1" * 400, "10000000"])
    end = random.choice(["0\r\n\r\n", "", "0\r\nTrailer: x\r\n\r\n", "0\r\n" + "T: x\r\n" * 3000])
    head_ = head("POST", any_path(random, POSTS),
                 [("Transfer-Encoding", "chunked"), ("Connection", "close"),
                  ("Content-Type", "application/json"), ("Idempotency-Key", "c")])
    return head_ + size.encode() + b"\r\nhello\r\n" + end.encode()


def bad_length(random):
    length = random.choice(
        ["-1", "abc", "99999999999999999999999", "1, 2", "+5", " 5 ", "0x10", "", "5\r\nContent-Length: 6",
         "4294967296", "18446744073709551615"])
    return head("POST", any_path(random, POSTS),
                [("Content-Length", length), ("Connection", "close"),
                 ("Content-Type", "application/json")]) + b"hello"


def huge_head(random):
    kind = random.randrange(4)
    if kind == 0:
        return head("GET", "/healthz", [("X-" + "a" * 10, "b" * random.randrange(5000, 300000))])
    if kind == 1:
        return head("GET", "/healthz", [(f"X-{n}", "v") for n in range(random.randrange(50, 20000))])
    if kind == 2:
        return head("GET", "/" + "a" * random.randrange(5000, 300000))
    return b"G" * random.randrange(5000, 300000)


def smuggled(random):
    fields = random.choice([
        [("Content-Length", "5"), ("Transfer-Encoding", "chunked")],
        [("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "identity")],
        [("Transfer-Encoding", "xchunked")], [("Transfer-Encoding", "chunked, gzip")],
        [("Host", "evil.example")], [("Host", "a, b")], [("Expect", "200-maybe")],
        [("Upgrade", "h2c"), ("Connection", "Upgrade")], [("X: y\nInjected", "z")],
        [("Range", "bytes=0-0,-1")], [(" Folded", "x")], [("Connection", "close, keep-alive, \x00")],
    ])
    return head(random.choice(["GET", "POST"]), any_path(random),
                fields + [("Connection", "close")]) + b"0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n"


def pipelined(random):
    good = head("GET", "/healthz")
    parts = [random.choice([good, good, truncated(random), random_bytes(random)])
             for _ in range(random.randrange(2, 30))]
    return b"".join(parts) + head("GET", "/healthz", [("Connection", "close")])


ATTACKS = [random_bytes, truncated, mutated, well_formed, chunked, bad_length, huge_head, smuggled,
           pipelined]


def attack_once(port, random, report, timeout):
    attack = random.choice(ATTACKS)
    data = attack(random)
    try:
        client = Client(port, timeout)
    except OSError as error:
        report.problem(f"no connection: {error}")
        time.sleep(0.1)
        return
    if random.randrange(3) == 0 and len(data) < 3000:
        # In pieces, as a slow network brings them.
        for start in range(0, len(data), 1 + len(data) // 5):
            if not client.send(data[start:start + 1 + len(data) // 5]):
                break
    else:
        client.send(data)
    if random.randrange(2):
        # Half-closed: the server knows that nothing more comes.
        try:
            client.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass
    if random.randrange(4) == 0 and attack in (truncated, random_bytes, mutated):
        # The client is gone without having read anything.
        client.close()
        report.note(attack.__name__, [], data)
        return
    statuses = client.statuses()
    if statuses is None:
        report.park(attack.__name__, client, data)
        return
    report.note(attack.__name__, statuses, data)
    client.close()


def slow_loris(port, count, seconds, report):
    """Connections that send a head at one byte a second. The server has to cut all of them."""
    clients = []
    for _ in range(count):
        try:
            clients.append(Client(port, 1))
        except OSError:
            pass
    opened = len(clients)
    data = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 100000
    start = time.monotonic()
    cut = []
    index = 0
    worst = 0
    while clients and time.monotonic() - start < seconds:
        for client in list(clients):
            alive = client.send(data[index:index + 1])
            client.socket.setblocking(False)
            try:
                if alive and client.socket.recv(4096) != b"":
                    alive = False
            except BlockingIOError:
                pass
            except OSError:
                alive = False
            else:
                alive = False
            client.socket.setblocking(True)
            if not alive:
                cut.append(time.monotonic() - start)
                clients.remove(client)
                client.close()
        index += 1
        before = time.monotonic()
        if not healthy(port):
            report.problem("slow loris: /healthz does not answer meanwhile")
        worst = max(worst, time.monotonic() - before)
        time.sleep(max(0, start + index - time.monotonic()))
    if clients:
        report.problem(f"slow loris: {len(clients)} of {opened} connections still open after {seconds} s")
    for client in clients:
        client.close()
    last = f"{max(cut):.1f}" if cut else "-"
    print(f"slow loris: {opened} connections, {len(cut)} cut, the last after {last} s; "
          f"/healthz took at most {worst * 1000:.0f} ms meanwhile")


def oversized(port, megabytes, report):
    """Bodies that are larger than any limit. The server has to refuse and not to keep them."""
    for name, fields in [("with a length", [("Content-Length", str(megabytes << 20))]),
                         ("chunked", [("Transfer-Encoding", "chunked")]),
                         ("asking first", [("Content-Length", str(megabytes << 20)), ("Expect", "100-continue")])]:
        client = Client(port, 20)
        client.send(head("POST", "/v1/feeds/dating/viewers/me/swipes",
                         fields + [("Content-Type", "application/json"), ("Idempotency-Key", "o")]))
        piece = b" " * 65536
        sent = 0
        while sent < megabytes << 20:
            data = piece if name != "chunked" else b"10000\r\n" + piece + b"\r\n"
            if not client.send(data):
                break
            sent += len(piece)
        try:
            client.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        statuses = client.statuses()
        print(f"oversized body {name}: {sent >> 10} KiB of {megabytes << 10} taken, answered {statuses}")
        if statuses is None:
            report.problem(f"oversized body {name}: neither answered nor closed")
        elif [status for status in statuses if status >= 500]:
            report.problem(f"oversized body {name}: {statuses}")
        client.close()


def idle(port, count, seconds, report):
    """Connections that say nothing, before and after a whole request."""
    clients = [Client(port, seconds) for _ in range(count)]
    for client in clients[: count // 2]:
        client.send(head("GET", "/healthz"))
    start = time.monotonic()
    hanging = sum(client.statuses() is None for client in clients)
    print(f"idle: {count} connections, {count - hanging} closed by the server within "
          f"{time.monotonic() - start:.1f} s")
    if hanging:
        report.problem(f"idle: {hanging} of {count} connections are still open after {seconds} s")
    for client in clients:
        client.close()


def healthy(port):
    try:
        client = Client(port, 5)
        client.send(head("GET", "/healthz", [("Connection", "close")]))
        return client.statuses() == [200]
    except OSError:
        return False


def resident(process):
    """Resident kilobytes and open descriptors of the server; None where it is another's."""
    if process is None:
        return None
    import os
    with open(f"/proc/{process.pid}/status") as status:
        size = int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))
    return size, len(os.listdir(f"/proc/{process.pid}/fd"))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    sys.stdout.reconfigure(line_buffering=True)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?", default=".build-release/release/cardfeed")
    parser.add_argument("--port", type=int, help="a server that runs already")
    parser.add_argument("--requests", type=int, default=20000)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--loris", type=int, default=50)
    parser.add_argument("--patience", type=float, default=90, help="seconds for slow connections to be cut")
    parser.add_argument("--megabytes", type=int, default=64)
    arguments = parser.parse_args()

    process = None
    port = arguments.port
    if port is None:
        port = free_port()
        process = subprocess.Popen(
            [arguments.program, "serve", "--demo", "--port", str(port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while not healthy(port):
            if process.poll() is not None or time.monotonic() > end:
                sys.exit("error: the server does not start")
            time.sleep(0.1)
    report = Report()
    try:
        def work(number, count):
            numbers = random.Random(arguments.seed * 1000 + number)
            for _ in range(count):
                attack_once(port, numbers, report, 0.3)

        def round_of(requests):
            threads = [threading.Thread(target=work, args=(number, requests // arguments.threads))
                       for number in range(arguments.threads)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        # The first tenth warms the allocator: what it keeps is no leak.
        round_of(arguments.requests // 10)
        before = resident(process)
        start = time.monotonic()
        round_of(arguments.requests)
        seconds = time.monotonic() - start
        after = resident(process)
        print(f"{report.requests} hostile requests in {seconds:.1f} s, seed {arguments.seed}")
        for attack in sorted(report.counts):
            counts = sorted(report.counts[attack].items(), key=str)
            print(f"  {attack}: " + ", ".join(f"{status} {count}" for status, count in counts))
        report.settle(arguments.patience)
        oversized(port, arguments.megabytes, report)
        slow_loris(port, arguments.loris, arguments.patience, report)
        idle(port, 20, arguments.patience, report)
        if before and after:
            last = resident(process)
            print(f"memory: {before[0]} KiB before, {after[0]} after, {last[0]} at the end; "
                  f"descriptors: {before[1]}, {after[1]}, {last[1]}")
            if last[0] > before[0] * 1.25 + 16384:
                report.problem(f"memory grew from {before[0]} to {last[0]} KiB")
            if last[1] > before[1] + 8:
                report.problem(f"descriptors grew from {before[1]} to {last[1]}")
        if not healthy(port):
            report.problem("the server does not answer any more")
        if process is not None:
            if process.poll() is not None:
                report.problem(f"the server ended with {process.returncode}")
            else:
                process.send_signal(signal.SIGTERM)
                try:
                    if process.wait(30) != 0:
                        report.problem(f"SIGTERM: ended with {process.returncode}")
                except subprocess.TimeoutExpired:
                    report.problem("SIGTERM: still there after 30 s")
    finally:
        if process is not None and process.poll() is None:
            process.kill()
    for problem in report.problems:
        print(f"problem: {problem}", file=sys.stderr)
    print("no problem" if not report.problems else f"{len(report.problems)} problems")
    sys.exit(1 if report.problems else 0)


if __name__ == "__main__":
    main()
