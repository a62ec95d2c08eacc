"""Hooks for schemathesis: half of the requests meet a feed, a viewer and a card that exist.

    cardfeed serve --demo --port 8080 &
    SCHEMATHESIS_HOOKS=hooks schemathesis run http://127.0.0.1:8080/openapi.json \
        --exclude-path-regex '/events$' --checks not_a_server_error

Run it in this folder, with one worker: more of them trip over each other in Python 3.11. Streams of
events never end, so they are left out.
"""

import json
import random

import schemathesis
from hypothesis import strategies as st

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


RECORDS = [
    {"id": "robin-1", "name": "Robin", "gender": "woman", "seeks": ["man"], "tags": ["x"], "age": 24},
    {"id": "capital-1", "question": "Capital of France?", "answer": "Paris", "tags": ["geography"]},
    {"id": "product-1", "name": "Lamp", "price": 19.5, "category": "light"},
    {"id": "thing-1"}, {"id": ""}, {"id": 7}, {}, {"card": "robin-1"},
]
GARBAGE = [
    b"", b" ", b"\r", b"null", b"[]", b"7", b'"robin-1"', b"{", b"}{", b'{"id":"\xff\xfe"}',
    b"\xef\xbb\xbf{}", b'{"id":"a","id":"b"}', b'{"id":"\\ud800"}', b'{"id":"a","age":1e999999}',
    b"[" * 20_000, b'{"id":"' + b"a" * 70_000 + b'"}', b"\x00", b'{"id":"a"} {"id":"b"}',
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8)


@st.composite
def changed_record(draw):
    record = dict(draw(st.sampled_from(RECORDS)))
    for name in draw(st.lists(st.sampled_from([*record, "age", "tags", "extra"]), max_size=2)):
        record[name] = draw(JSON)
    return record


@st.composite
def lines(draw):
    """JSON Lines as nobody should send them: records, records with a member changed, and no JSON."""
    line = st.one_of(
        st.sampled_from(RECORDS).map(json.dumps).map(str.encode),
        changed_record().map(json.dumps).map(str.encode), JSON.map(json.dumps).map(str.encode),
        st.sampled_from(GARBAGE), st.binary(max_size=40))
    end = draw(st.sampled_from([b"\n", b"\r\n", b"\n\n"]))
    return end.join(draw(st.lists(line, max_size=12))) + draw(st.sampled_from([b"", end]))


schemathesis.openapi.media_type(
    "application/x-ndjson", lines(), aliases=["application/jsonl", "application/x-jsonlines"])
