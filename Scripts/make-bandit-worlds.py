"""Worlds of arms to play bandits in: make-bandit-worlds.py OUT

OUT/bandit_stat_S and OUT/bandit_drift_S, S from 0 to 5, get X.npy (10,000 rounds of 8 numbers),
P.npy (the probability of each of 20 arms in each round) and U.npy (a uniform number: the answer is
yes where it is below the probability). The probability is logistic in the numbers, with weights
N(0, 0.7²) and base rates N(−3.2, 0.5²); where a world drifts, the arms' base rates are reversed
after half of the rounds. All is drawn from NumPy's default_rng(500 + S). Needs numpy.
"""

import os
import sys

import numpy as np

WORLDS = 6
ROUNDS, ARMS, NUMBERS = 10_000, 20, 8


def world(seed, drifts):
    """The arrays of a world; its numbers do not depend on whether it drifts."""
    generator = np.random.default_rng(seed)
    contexts = generator.normal(0, 1, (ROUNDS, NUMBERS))
    weights = generator.normal(0, 0.7, (ARMS, NUMBERS))
    bases = generator.normal(-3.2, 0.5, ARMS)
    uniforms = generator.random((ROUNDS, ARMS))
    merits = contexts @ weights.T

    def probabilities(bases):
        return 1 / (1 + np.exp(-(merits + bases)))

    chances = probabilities(bases)
    if drifts:
        chances[ROUNDS // 2 :] = probabilities(bases[::-1])[ROUNDS // 2 :]
    return {"X": contexts, "P": chances, "U": uniforms}


for number in range(WORLDS):
    for kind, drifts in ("stat", False), ("drift", True):
        folder = os.path.join(sys.argv[1], f"bandit_{kind}_{number}")
        os.makedirs(folder, exist_ok=True)
        for name, array in world(500 + number, drifts).items():
            np.save(os.path.join(folder, name + ".npy"), array.astype(np.float32))
