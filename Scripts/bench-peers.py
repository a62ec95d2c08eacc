#!/usr/bin/env python3
"""Measures what other programs take for the tasks of 'cardfeed bench perf --inputs'.

bench-peers.py [options] DIR makes the inputs in DIR if they are missing (vectors.npy, queries.npy,
keep3.npy, interactions.csv; the same on every machine), measures, and prints a JSON object for
'cardfeed bench perf --inputs DIR --peers FILE'. One thread, processor time, the best of several passes.
Needs numpy, scipy, implicit, faiss-cpu and hnswlib from PyPI, and cc; Scripts/bench-peers.sh brings them.
"""
import argparse
import importlib.metadata
import json
import os
import subprocess
import sys
import time

# Choices made for another build of OpenBLAS need not suit the ones that these packages bring.
for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(name, None)
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
import scipy.sparse as sparse

DIMENSION = 64
WANTED = 20
PEOPLE = 20_000
GROUPS = 40


def say(what):
    print(what, file=sys.stderr, flush=True)


def best(body, passes=5):
    """The least processor time of several passes, in seconds."""
    least = float("inf")
    for _ in range(passes):
        start = time.process_time()
        body()
        least = min(least, time.process_time() - start)
    return least


# Inputs.


def unit(vectors):
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def make_vectors(folder, count):
    """Unit vectors around a thousand centres, queries of the same kind, and a filter for 3 %."""
    random = np.random.default_rng(11)
    centres = random.standard_normal((1000, DIMENSION), dtype=np.float32)

    def draw(number):
        near = centres[random.integers(0, len(centres), number)]
        return unit(near + 0.7 * random.standard_normal(near.shape, dtype=np.float32))

    np.save(f"{folder}/queries.npy", draw(300))
    blocks = [draw(min(100_000, count - start)) for start in range(0, count, 100_000)]
    np.save(f"{folder}/vectors.npy", np.concatenate(blocks))
    np.save(f"{folder}/keep3.npy", (random.random(count) < 0.03).astype(np.uint8))


def make_interactions(folder, count):
    """Half of what somebody takes is popular with everybody, half of it within one of forty groups."""
    random = np.random.default_rng(12)
    activity = random.lognormal(0, 1, PEOPLE)
    favourite = random.integers(0, GROUPS, PEOPLE)
    inside = PEOPLE // GROUPS

    def popularity(number):
        weights = 1 / np.arange(1, number + 1)
        return weights / weights.sum()

    pairs = np.empty(0, np.int64)
    while len(pairs) < count:
        users = random.choice(PEOPLE, count, p=activity / activity.sum())
        liked = favourite[users] + GROUPS * random.choice(inside, count, p=popularity(inside))
        known = random.choice(PEOPLE, count, p=popularity(PEOPLE))
        items = np.where(random.random(count) < 0.5, liked, known)
        pairs = np.concatenate([pairs, users.astype(np.int64) * PEOPLE + items])
        # Each pair once, in the order in which they came.
        pairs = pairs[np.sort(np.unique(pairs, return_index=True)[1])]
    pairs = pairs[:count]
    # By user, and within one in the order in which they came: what is held out is no kind of item.
    pairs = pairs[np.argsort(pairs // PEOPLE, kind="stable")]
    np.savetxt(
        f"{folder}/interactions.csv", np.stack([pairs // PEOPLE, pairs % PEOPLE], axis=1), fmt="%d",
        delimiter=",", header="user,item", comments="")


def make_inputs(folder, small):
    os.makedirs(folder, exist_ok=True)
    if not all(os.path.exists(f"{folder}/{name}.npy") for name in ("vectors", "queries", "keep3")):
        say("making vectors")
        make_vectors(folder, 100_000 if small else 1_000_000)
    if not os.path.exists(f"{folder}/interactions.csv"):
        say("making interactions")
        make_interactions(folder, 100_000 if small else 1_000_000)


# Searches by vectors.


def measure_searches(folder, rows, out):
    import faiss
    import hnswlib

    faiss.omp_set_num_threads(1)
    vectors = np.load(f"{folder}/vectors.npy")
    queries = np.load(f"{folder}/queries.npy")
    keep = np.load(f"{folder}/keep3.npy").astype(bool)

    def flat(rows):
        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(vectors[:rows])
        return index

    say(f"faiss: {len(vectors)} vectors")
    index = flat(len(vectors))
    some = [query[None] for query in queries[:40]]
    out["faiss_flat_top20_ms"] = best(
        lambda: [index.search(query, WANTED) for query in some]) / len(some) * 1e3
    # Two ways to say which rows count; the faster one is taken.
    bits = np.packbits(keep, bitorder="little")
    selectors = [
        faiss.IDSelectorBatch(np.flatnonzero(keep).astype(np.int64)),
        faiss.IDSelectorBitmap(len(keep), faiss.swig_ptr(bits)),
    ]
    filters = [faiss.SearchParameters(sel=selector) for selector in selectors]
    out["faiss_flat_top20_keep3_ms"] = min(
        best(lambda: [index.search(query, WANTED, params=one) for query in some])
        for one in filters) / len(some) * 1e3
    del index
    index = flat(100_000)
    many = queries[:128]
    out["faiss_flat_batch128_100k_ms"] = best(
        lambda: index.search(many, WANTED)) / len(many) * 1e3
    rows = min(rows, len(vectors))
    say(f"hnswlib: a graph of {rows}")
    expected = flat(rows).search(queries, WANTED)[1]
    graph = hnswlib.Index("ip", vectors.shape[1])
    graph.init_index(rows, M=16, ef_construction=100, random_seed=1)
    graph.set_num_threads(1)
    out["hnswlib_rows"] = rows
    out["hnswlib_build_cpu_s"] = best(
        lambda: graph.add_items(vectors[:rows], np.arange(rows), num_threads=1), passes=1)
    out["hnswlib"] = []
    every = [query[None] for query in queries]
    for effort in (24, 32, 40, 50, 64, 80, 120, 200):
        graph.set_ef(effort)
        found, times = [], []
        for query in every:
            start = time.process_time()
            found.append(graph.knn_query(query, k=WANTED, num_threads=1)[0][0])
            times.append(time.process_time() - start)
        hits = sum(len(np.intersect1d(one.astype(np.int64), right))
                   for one, right in zip(found, expected))
        mean = best(lambda: [graph.knn_query(query, k=WANTED, num_threads=1) for query in every])
        out["hnswlib"].append({
            "ef": effort, "recall": hits / expected.size, "us": mean / len(every) * 1e6,
            "p50_us": float(np.median(times)) * 1e6,
        })


# Recommenders.


def ndcg(lists, relevant):
    """The mean NDCG@20 with binary gain over those who have something to find."""
    discounts = 1 / np.log2(np.arange(2, WANTED + 2))
    values = []
    for found, right in zip(lists, relevant):
        if len(right) == 0:
            continue
        hits = np.isin(found[:WANTED], right)
        values.append(
            discounts[:len(hits)][hits].sum() / discounts[:min(WANTED, len(right))].sum())
    return float(np.mean(values))


def measure_recommenders(folder, out):
    from implicit.als import AlternatingLeastSquares

    pairs = np.loadtxt(f"{folder}/interactions.csv", delimiter=",", skiprows=1, dtype=np.int64)
    people, items = pairs.max(axis=0) + 1

    def matrix(pairs):
        ones = np.ones(len(pairs), np.float32)
        return sparse.csr_matrix((ones, (pairs[:, 0], pairs[:, 1])), shape=(people, items))

    def fit(seen, exactly):
        # A confidence of 2 and a regularisation of .05 for each vector: weight 1 for every pair and 1
        # more for a swipe.
        model = AlternatingLeastSquares(
            factors=64, regularization=0.05, alpha=2.0, iterations=15, num_threads=1,
            use_cg=not exactly, random_state=1)
        model.fit(seen, show_progress=False)
        return model

    everything = matrix(pairs)
    # The last of every ten lines after the header is held out.
    held = np.arange(1, len(pairs) + 1) % 10 == 0
    seen, hidden = matrix(pairs[~held]), matrix(pairs[held])
    relevant = [hidden.indices[a:b] for a, b in zip(hidden.indptr, hidden.indptr[1:])]
    for name, exactly in (("cg", False), ("cholesky", True)):
        say(f"implicit: 64 factors in 15 rounds, {name}")
        start = time.process_time()
        model = fit(everything, exactly)
        out[f"implicit_als_64x15_{name}_cpu_s"] = time.process_time() - start
        judged = fit(seen, exactly)
        lists = judged.recommend(np.arange(people), seen, N=WANTED)[0]
        out[f"implicit_als_64x15_{name}_ndcg20"] = ndcg(lists, relevant)
    # The same split and the same measure give this figure to the last digits, whoever computes it.
    order = np.lexsort((np.arange(items), -np.bincount(seen.indices, minlength=items)))
    popular = []
    for user in range(people):
        own = seen.indices[seen.indptr[user]:seen.indptr[user + 1]]
        first = order[:len(own) + WANTED]
        popular.append(first[~np.isin(first, own)][:WANTED])
    out["popularity_ndcg20"] = ndcg(popular, relevant)

    asked = np.arange(min(5000, people))
    rows = everything[asked]
    out["implicit_recommend_viewers_per_cpu_s"] = len(asked) / best(
        lambda: model.recommend(asked, rows, N=WANTED), passes=3)
    singles = [everything[user] for user in range(min(300, people))]
    out["implicit_recommend_one_us"] = best(
        lambda: [model.recommend(user, row, N=WANTED) for user, row in enumerate(singles)]
    ) / len(singles) * 1e6


# What learns while it deals, and what looks at a hand as a whole.


def measure_bandits(out):
    arms, numbers, rounds = 20, 8, 1000
    random = np.random.default_rng(13)
    contexts = random.uniform(-2, 2, (rounds, numbers))

    def play(choose):
        inverse = np.tile(np.eye(numbers), (arms, 1, 1))
        sums = np.zeros((arms, numbers))
        weights = np.zeros((arms, numbers))
        for number, context in enumerate(contexts):
            spread = inverse @ context
            arm = int(np.argmax(choose(weights @ context, np.sqrt(spread @ context))))
            # The inverse of one more observation, by Sherman and Morrison.
            step = spread[arm]
            inverse[arm] -= np.outer(step, step) / (1 + step @ context)
            if number * 7 % 3 == 0:
                sums[arm] += context
            weights[arm] = inverse[arm] @ sums[arm]

    say("numpy: bandits")
    out["numpy_bandit_us"] = best(
        lambda: play(lambda mean, spread: mean + 0.5 * spread)) / rounds * 1e6
    # One sample of each arm; how probable its choice was would take many.
    out["numpy_thompson_us"] = best(
        lambda: play(lambda mean, spread: mean + 0.2 * spread * random.standard_normal(arms))
    ) / rounds * 1e6


def measure_rerankings(out):
    random = np.random.default_rng(14)
    lists = [
        (random.random(100), (random.random((100, 19)) < 0.12).astype(float)) for _ in range(100)]

    def likeness(tags, sizes, card):
        """The Jaccard index of one card and all others."""
        common = tags @ tags[card]
        either = sizes + sizes[card] - common
        row = np.divide(common, either, out=np.zeros_like(common), where=either > 0)
        row[card] = 1
        return row

    def marginal_relevance(relevance, tags, weight=0.7, count=10):
        sizes = tags.sum(axis=1)
        worth = weight * relevance
        nearest = np.zeros(len(worth))
        chosen = []
        for _ in range(count):
            card = int(np.argmax(worth - (1 - weight) * nearest))
            chosen.append(card)
            worth[card] = -np.inf
            nearest = np.maximum(nearest, likeness(tags, sizes, card))
        return chosen

    def determinantal(relevance, tags, theta=3.0, identity=0.1, count=10):
        sizes = tags.sum(axis=1)
        quality = np.exp(theta * relevance)
        left = quality * quality
        factor = np.zeros((count, len(quality)))
        chosen = []
        for place in range(count):
            card = int(np.argmax(left))
            chosen.append(card)
            if place == count - 1:
                break
            kernel = (1 - identity) * likeness(tags, sizes, card) * quality * quality[card]
            kernel[card] = quality[card] ** 2
            row = (kernel - factor[:place, card] @ factor[:place]) / np.sqrt(left[card])
            factor[place] = row
            left = left - row * row
            left[chosen] = -np.inf
        return chosen

    say("numpy: diversity")
    for name, choose in (("mmr", marginal_relevance), ("dpp", determinantal)):
        out[f"numpy_{name}_us"] = best(
            lambda: [choose(*one) for one in lists]) / len(lists) * 1e6


def measure_online_learning(folder, out):
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench-ftrl.c")
    program = os.path.join(folder, "bench-ftrl")
    say("cc -O2: FTRL")
    try:
        subprocess.run(["cc", "-O2", "-o", program, source, "-lm"], check=True)
        printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        say(f"left out: {error}")
        return
    out["c_ftrl_us"] = float(printed)


def main():
    parser = argparse.ArgumentParser(prog="bench-peers.py", description=__doc__.split("\n")[0])
    parser.add_argument("folder", metavar="DIR", help="where the inputs are, or are made")
    parser.add_argument(
        "--graph-rows", type=int, default=200_000, help="how many vectors the graph has (200000)")
    parser.add_argument(
        "--small", action="store_true", help="make a tenth of the inputs, to try this out")
    arguments = parser.parse_args()
    if arguments.graph_rows < 1:
        parser.error("--graph-rows is below 1; allowed: whole numbers from 1")
    make_inputs(arguments.folder, arguments.small)
    out = {}
    measure_searches(arguments.folder, arguments.graph_rows, out)
    measure_recommenders(arguments.folder, out)
    measure_bandits(out)
    measure_rerankings(out)
    measure_online_learning(arguments.folder, out)
    out["versions"] = {
        name: importlib.metadata.version(name)
        for name in ("numpy", "scipy", "implicit", "faiss-cpu", "hnswlib")}
    print(json.dumps(out, indent=1))


if __name__ == "__main__":
    main()
