#!/usr/bin/env python3
"""Scores the lists of experiments anew: compare-lists.py [options] CARDFEED DATA

Runs product-… experiments that rank cards, hands each arm's lists to score_lists.py of a folder of
references, and compares NDCG@10, HR@10, recall@20, coverage@10 and novelty@10 with what the experiment
says, to all five digits that score_lists.py prints. MRR is shown and not compared: an experiment looks at the
whole ranking, score_lists.py at twenty cards. Then the lists of EASE with a regularisation of 400 are
compared with those of NumPy in double precision. Needs numpy, scipy and pandas. DATA is what --data is.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

EXPERIMENTS = (
    "product-ml100k-last", "product-ml100k-time", "product-ml100k-random", "product-beauty",
    "product-lastfm", "product-repeat", "product-discovery")
# Sets small enough for a dense inverse in double precision.
EASE_SETS = ("ml100k_loo", "ml100k_t80", "ml100k_r80pos", "s3_lastfm")
COMPARED = {
    "ndcg@10": "N10", "hit@10": "H10", "recall@20": "R20", "coverage@10": "cov10",
    "novelty@10": "nov10"}
LENGTH = 20


def options():
    parser = argparse.ArgumentParser(
        prog="compare-lists.py", description=__doc__.split("\n")[0])
    parser.add_argument("cardfeed", metavar="CARDFEED")
    parser.add_argument("data", metavar="DATA")
    parser.add_argument(
        "--scorer", default="../shared/reference/product/score_lists.py",
        help="the program that scores lists")
    parser.add_argument(
        "--experiments", nargs="*", default=EXPERIMENTS, help="names; none without any")
    parser.add_argument("--ease", nargs="*", default=EASE_SETS, help="sets; none without any")
    parser.add_argument("--regularisation", type=float, default=400)
    return parser.parse_args()


def run(cardfeed, experiment, data, out):
    subprocess.run(
        [cardfeed, "bench", "run", experiment, "--data", data, "--out", out], check=True,
        stdout=subprocess.DEVNULL)
    with open(os.path.join(out, "result.json"), encoding="utf-8") as file:
        return json.load(file)


def score(scorer, split, lists):
    """What the other program says; it finds its data from its own folder."""
    found = subprocess.run(
        [sys.executable, os.path.basename(scorer), split, lists], check=True,
        cwd=os.path.dirname(scorer), stdout=subprocess.PIPE, text=True)
    return json.loads(found.stdout)


def compare(arguments, name, folder):
    """The number of figures that were compared, and of those that differ."""
    out = os.path.join(folder, name)
    result = run(arguments.cardfeed, f"datasets/experiments/{name}.json", arguments.data, out)
    split = result["data"]["set"]
    compared = differing = 0
    for arm in result["arms"]:
        theirs = score(arguments.scorer, split, os.path.join(out, arm["name"] + ".lists.tsv"))
        cells = []
        for metric, key in COMPARED.items():
            ours = arm["metrics"].get(metric, {}).get("value")
            if ours is None:
                continue
            compared += 1
            # Rounded to five digits there.
            same = abs(ours - theirs[key]) < 0.500001e-5
            differing += not same
            cells.append(f"{metric} {ours:.5f}" + ("" if same else f" BUT {theirs[key]:.5f}"))
        mrr = arm["metrics"].get("mrr", {}).get("value")
        if mrr is not None:
            cells.append(f"mrr {mrr:.5f}, of twenty cards {theirs['MRR20']:.5f}")
        print(f"{name} {arm['name']}: " + "; ".join(cells), flush=True)
    return compared, differing


def ease_lists(folder, regularisation):
    """Each tested viewer's twenty cards by EASE (Steck 2019), equal scores by the lower number."""
    import numpy as np
    import pandas as pd
    import scipy.sparse as sparse

    def part(name):
        path = os.path.join(folder, name + ".csv")
        return pd.read_csv(path if os.path.exists(path) else path + ".gz")

    with open(os.path.join(folder, "meta.json"), encoding="utf-8") as file:
        meta = json.load(file)
    known, test = pd.concat([part("train"), part("valid")]), part("test")
    seen = sparse.csr_matrix(
        (np.ones(len(known)), (known.user, known.item)), shape=(meta["n_users"], meta["n_items"]))
    seen.sum_duplicates()
    seen.data[:] = 1
    gram = (seen.T @ seen).toarray()
    gram[np.diag_indices_from(gram)] += regularisation
    inverse = np.linalg.inv(gram)
    weights = -inverse / np.diag(inverse)[None, :]
    np.fill_diagonal(weights, 0)
    lists = {}
    for user in sorted(test.user.unique()):
        own = seen.indices[seen.indptr[user]:seen.indptr[user + 1]]
        scores = weights[own].sum(axis=0)
        scores[own] = -np.inf
        order = np.lexsort((np.arange(len(scores)), -scores))[:LENGTH]
        lists[int(user)] = [int(item) for item in order if np.isfinite(scores[item])]
    return lists


def compare_ease(arguments, name, folder):
    """The share of viewers whose list is the same, card by card."""
    experiment = {
        "version": 1, "name": "ease", "summary": "EASE, to compare.",
        "data": {"use": "swipes", "set": name}, "split": {"use": "next-cards"},
        "metrics": ["ndcg@10"], "seed": 1, "resamples": 100, "baseline": "ease",
        "arms": [{"name": "ease", "model": {
            "use": "linear-autoencoder", "regularisation": [arguments.regularisation]}}],
    }
    path = os.path.join(folder, f"ease-{name}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(experiment, file)
    out = os.path.join(folder, f"ease-{name}")
    run(arguments.cardfeed, path, arguments.data, out)
    with open(os.path.join(out, "ease.lists.tsv"), encoding="utf-8") as file:
        ours = {
            int(viewer): [int(card) for card in cards.split()]
            for viewer, cards in (line.rstrip("\n").split("\t") for line in file)}
    theirs = ease_lists(os.path.join(arguments.data, "product", name), arguments.regularisation)
    same = sum(ours.get(user) == cards for user, cards in theirs.items())
    share = same / len(theirs)
    print(
        f"EASE, {arguments.regularisation:g}, {name}: {same} of {len(theirs)} lists are the same "
        f"({share:.2%})", flush=True)
    return share >= 0.999 and len(ours) == len(theirs)


def main():
    arguments = options()
    arguments.scorer = os.path.abspath(arguments.scorer)
    arguments.cardfeed = os.path.abspath(arguments.cardfeed)
    if arguments.experiments and not os.path.exists(arguments.scorer):
        sys.exit(f"{arguments.scorer} is missing; --scorer names the program that scores lists")
    compared = differing = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.experiments:
            one = compare(arguments, name, folder)
            compared, differing = compared + one[0], differing + one[1]
        different = [
            name for name in arguments.ease if not compare_ease(arguments, name, folder)]
    print(f"{compared} figures compared, {differing} differ")
    if differing or different:
        sys.exit(1)


if __name__ == "__main__":
    main()
