"""Hooks for schemathesis: half of the requests meet a feed, a viewer and a card that exist.

    cardfeed serve --demo --port 8080 &
    SCHEMATHESIS_HOOKS=hooks schemathesis run http://127.0.0.1:8080/openapi.json \
        --exclude-path-regex '/events$' --checks not_a_server_error

Run it in this folder. Streams of events never end, so they are left out.
"""

import random

import schemathesis

KNOWN = {
    "feed": ["dating", "quiz", "product"],
    "viewer": ["demo", "demo-2", "guest"],
    "card": ["robin-1", "kim-2", "capital-1", "product-1", "thing-1"],
}


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    if path_parameters:
        for name, values in KNOWN.items():
            if name in path_parameters and random.random() < (0.9 if name == "feed" else 0.5):
                path_parameters[name] = random.choice(values)
    return path_parameters


@schemathesis.hook
def map_body(context, body):
    if isinstance(body, dict) and "card" in body and random.random() < 0.5:
        body["card"] = random.choice(KNOWN["card"])
    if isinstance(body, dict) and "answer" in body and random.random() < 0.5:
        body["answer"] = random.choice(["like", "pass", "good", "again", "save", "skip"])
    return body


@schemathesis.serializer("application/x-ndjson", "application/jsonl", "application/x-jsonlines")
def lines(context, value):
    return str(value).encode("utf-8", "surrogatepass")
