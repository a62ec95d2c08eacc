"""Rows of who buys a category again, of The Complete Journey: make-purchase-rows.py TABLES OUT

TABLES holds transactions.parquet and products.parquet. OUT/train.csv, valid.csv and test.csv get a
row for each household and category of products that it bought up to the week of a cut, in order of
household and category: what the weeks up to the cut say, and in `y` whether it was bought in the
week after. Needs numpy and pyarrow.
"""

import os
import sys

import numpy as np
import pyarrow.parquet as parquet

CUTS = {"train": (40, 42, 44), "valid": (46,), "test": (49,)}
WEEKS = 53
# Departments whose products are not what a household chooses to buy again.
LEFT_OUT = ("FUEL", "MISCELLANEOUS", "COUPON")


def read(folder):
    """The lines of receipts that count: household, category (numbers from 0), basket, week."""
    path = os.path.join(folder, "products.parquet")
    products = parquet.read_table(path, columns=["product_id", "department", "product_category"])
    categories = {
        product: category
        for product, department, category in zip(*(column.to_pylist() for column in products))
        if category is not None and department not in LEFT_OUT
    }
    path = os.path.join(folder, "transactions.parquet")
    names = ["household_id", "product_id", "basket_id", "week", "quantity"]
    table = parquet.read_table(path, columns=names)
    household, product, basket, week, quantity = (table[name].to_numpy() for name in names)
    known = np.isin(product, np.fromiter(categories, np.int64)) & (quantity > 0)
    category = np.array([categories[number] for number in product[known]])
    return (
        np.unique(household[known], return_inverse=True)[1],
        np.unique(category, return_inverse=True)[1],
        basket[known],
        week[known],
    )


def count(baskets, *keys):
    """How many different baskets there are for each combination of the keys."""
    seen = np.unique(np.stack([*keys, baskets]), axis=1)[:-1]
    counts = np.zeros([WEEKS + 1, *(key.max() + 1 for key in keys[1:])], np.int32)
    np.add.at(counts, tuple(seen), 1)
    return counts


def rows(cut, baskets, visits):
    """The columns of a cut, from the baskets of each week, household and category and the visits
    of each week and household. No column but `y` knows anything of the weeks after the cut.
    """
    households = baskets.shape[1]
    bought = baskets[1 : cut + 1] > 0
    came = visits[1 : cut + 1] > 0
    weeks = bought.sum(0)
    household, category = pairs = np.nonzero(weeks)
    first = np.argmax(bought, 0)[pairs] + 1
    last = cut - np.argmax(bought[::-1], 0)[pairs]
    active = came.sum(0)

    # The figures of the experiment are of rows in single precision.
    single = np.float32
    n = weeks[pairs].astype(single)
    recency = (cut - last).astype(single)
    gap = np.where(n > 1, (last - first).astype(single) / np.maximum(n - 1, 1), single(cut))
    chances = np.maximum(active[household], 1).astype(single)
    columns = {
        "n": n,
        "rec": recency,
        "gap": gap,
        "n4": bought[-4:].sum(0)[pairs],
        "n8": bought[-8:].sum(0)[pairs],
        "n13": bought[-13:].sum(0)[pairs],
        "age": cut - first,
        "cnt": baskets[1 : cut + 1].sum(0)[pairs],
        "cnt4": baskets[cut - 3 : cut + 1].sum(0)[pairs],
        "h_wk": active[household],
        "h_w4": came[-4:].sum(0)[household],
        "h_w13": came[-13:].sum(0)[household],
        "h_last": np.argmax(came[::-1], 0)[household] + 1,
        "h_bask4": visits[cut - 3 : cut + 1].sum(0)[household],
        "h_ncat": (weeks > 0).sum(1)[household],
        "c_pop": (bought.sum((0, 1)) / households)[category],
        "c_rate4": bought[-4:].mean((0, 1))[category],
        "rate": n / chances,
        "due": recency / np.maximum(gap, 1),
        "c_id": category,
    }
    columns = {name: np.round(column.astype(single), 5) for name, column in columns.items()}
    columns["h"] = household
    columns["y"] = (baskets[cut + 1][pairs] > 0).astype(int)
    return columns


def texts(column):
    """The numbers of a column as text, each different one written once."""
    values, places = np.unique(column, return_inverse=True)
    return np.array([str(value) for value in values], object)[places]


def main():
    source, target = sys.argv[1:]
    household, category, basket, week = read(source)
    baskets = count(basket, week, household, category)
    visits = count(basket, week, household)
    os.makedirs(target, exist_ok=True)
    for part, cuts in CUTS.items():
        with open(os.path.join(target, part + ".csv"), "w", encoding="utf-8") as file:
            for cut in cuts:
                columns = rows(cut, baskets, visits)
                if cut == cuts[0]:
                    file.write(",".join(columns) + "\n")
                lines = zip(*(texts(column) for column in columns.values()))
                file.writelines(",".join(line) + "\n" for line in lines)


main()
