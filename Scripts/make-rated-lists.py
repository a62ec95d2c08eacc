"""Scored lists and categories of MovieLens 100K: make-rated-lists.py ITEMS DIVISION CATEGORIES

ITEMS is ml-100k.item of RecBole; CATEGORIES gets the genres of each card (card, categories with ;
between), cards being the numbers of the films less one. DIVISION/candidates.csv gets the hundred
best cards of each viewer of DIVISION/test.csv (viewer, card, score), as EASE^R scores them (Steck,
Embarrassingly Shallow Autoencoders for Sparse Data, WWW 2019) that was fitted to train.csv and
valid.csv; cards of these are left out. Needs numpy.
"""

import csv
import os
import sys

import numpy as np

COUNT = 100
REGULARISATION = 400


def read(path, delimiter=","):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter, quoting=csv.QUOTE_NONE))


def scores(liked):
    """What EASE^R says of every card for every viewer, from a table of ones and zeros."""
    inverse = np.linalg.inv(liked.T @ liked + REGULARISATION * np.eye(liked.shape[1]))
    weights = -inverse / np.diag(inverse)
    np.fill_diagonal(weights, 0)
    return liked @ weights


def main():
    items, division, categories = sys.argv[1:]
    genres = {
        int(row["item_id:token"]) - 1: row["class:token_seq"] for row in read(items, delimiter="\t")
    }
    with open(categories, "w", encoding="utf-8") as file:
        file.write("card,categories\n")
        for card in sorted(genres):
            file.write(f"{card},{';'.join(genres[card].split())}\n")

    known, asked = (
        np.array([
            (int(row["user"]), int(row["item"]))
            for part in parts
            for row in read(os.path.join(division, part + ".csv"))
        ])
        for parts in (("train", "valid"), ("test",))
    )
    liked = np.zeros((max(known[:, 0].max(), asked[:, 0].max()) + 1, len(genres)))
    liked[known[:, 0], known[:, 1]] = 1
    # Rounded first, so that the order of cards that are alike is not that of rounding errors.
    rounded = np.round(scores(liked), 6) + 0.0
    rounded[liked > 0] = -np.inf
    with open(os.path.join(division, "candidates.csv"), "w", encoding="utf-8") as file:
        file.write("viewer,card,score\n")
        for viewer in np.unique(asked[:, 0]):
            for card in np.argsort(-rounded[viewer], kind="stable")[:COUNT]:
                file.write(f"{viewer},{card},{rounded[viewer, card]:.6f}\n")


main()
