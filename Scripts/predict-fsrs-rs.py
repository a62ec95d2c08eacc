"""What fsrs-rs says of recorded reviews, to compare with: predict-fsrs-rs.py DATA OUT

Fits fsrs-rs (PyPI: fsrs-rs-python) to the answers before each fold of DATA/quiz/josh_items.csv, as
the experiment quiz-reviews does, and writes P(recall) of the answers of the fold to
OUT/later-days__fsrs-rs.csv, which `cardfeed bench run --references OUT` reads. Days are whole ones.
"""

import csv
import os
import sys

from fsrs_rs_python import FSRS, FSRSItem, FSRSReview

data, out = sys.argv[1:]
with open(os.path.join(data, "quiz", "josh_items.csv"), encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
folds = [int(row["fold_nosame"]) for row in rows]

# The answers to a card before each answer, and with it.
before, through, histories = [], [], {}
for row in rows:
    history = histories.setdefault(row["card_id"], [])
    before.append(list(history))
    history.append(FSRSReview(int(row["rating"]), max(0, int(float(row["elapsed_days"])))))
    through.append(list(history))

os.makedirs(out, exist_ok=True)
with open(os.path.join(out, "later-days__fsrs-rs.csv"), "w", encoding="utf-8") as file:
    file.write("row,p\n")
    for fold in sorted({fold for fold in folds if fold >= 0}):
        first = folds.index(fold)
        known = [index for index in range(first) if folds[index] != -1]
        parameters = FSRS([]).compute_parameters(
            [FSRSItem(through[index]) for index in known],
            [int(rows[index]["card_id"]) for index in known],
        )
        model = FSRS(parameters)
        decay = -parameters[20]
        factor = 0.9 ** (1 / decay) - 1
        for index, row in enumerate(rows):
            if folds[index] != fold:
                continue
            state = model.memory_state(FSRSItem(before[index]))
            days = max(0, int(float(row["elapsed_days"])))
            recall = (1 + factor * days / state.stability) ** decay
            file.write(f"{index},{recall:.6f}\n")
