"""Whether audit lots decide as their curve says, and how many reviews they save.

    .venv/bin/python benchmarks/audit_lots.py [--lots 20000] [--size 200] [--limit 10] [--risk 10] [--most 3]

For each true defect rate it audits random lots with the plan of the product and prints the share of lots that passed
beside the curve of the plan, the distance in standard errors of so many lots, the reviews that a lot took on average
beside the expected ones, and what that saves against a fixed sample of 20 % of each lot. It fails when a share is more
than four standard errors away from the curve.
"""

import argparse
import random
import sys
from math import sqrt
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)  # in place of this folder, which hides Python's own modules

from annotate.quality.audit_lots import ACCEPT, Plan, plan_for  # noqa: E402

RATES = (0.02, 0.05, 0.10)
FIXED = 0.20
MOST_ERRORS = 4.0


def main() -> int:
    """Print a table for each size of lots; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lots", type=int, default=20_000, help="Lots per rate.")
    parser.add_argument("--size", type=int, nargs="+", default=[200, 500, 1000], help="Judgements in a lot.")
    parser.add_argument("--limit", type=float, default=10, help="Per cent of defects that may not pass.")
    parser.add_argument("--risk", type=float, default=10, help="Per cent.")
    parser.add_argument("--most", type=int, default=3, help="Defects with which a lot can pass.")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chance, is_right = random.Random(chosen.seed), True  # noqa: S311 - nothing secret
    for size in chosen.size:
        plan = plan_for(size, chosen.limit / 100, chosen.risk / 100, chosen.most)
        samples = ", ".join(f"{sample} with {defects}" for defects, sample in enumerate(plan.samples))
        print(f"\nLots of {size}: pass after {samples} defects; fixed sample {round(FIXED * size)}")
        head = f"{'defects':>8} {'passed':>8} {'curve':>8} {'errors':>7} {'reviews':>8} {'expected':>9} {'saved':>7}"
        print(head)
        for rate in RATES:
            is_right &= measure(plan, round(rate * size), chosen.lots, chance)
    print(
        "\nEvery share is within sampling error of its curve." if is_right else "\nA share is too far from its curve."
    )
    return 0 if is_right else 1


def measure(plan: Plan, bad: int, lots: int, chance: random.Random) -> bool:
    """Audit so many lots, print what came of it, and say whether the curve told it right."""
    lot = [True] * bad + [False] * (plan.size - bad)
    passed = reviews = 0
    for _ in range(lots):
        # Only the beginning of the order is ever looked at.
        decision, reviewed = plan.run(chance.sample(lot, plan.samples[-1]))
        passed += decision == ACCEPT
        reviews += reviewed
    expected, average = plan.outcomes(bad)
    error = sqrt(expected * (1 - expected) / lots) or 1 / lots
    distance = abs(passed / lots - expected) / error
    saved = 1 - reviews / lots / (FIXED * plan.size)
    print(
        f"{bad / plan.size:>8.1%} {passed / lots:>8.2%} {expected:>8.2%} {distance:>7.1f}"
        f" {reviews / lots:>8.1f} {average:>9.1f} {saved:>7.0%}"
    )
    return distance <= MOST_ERRORS


if __name__ == "__main__":
    sys.exit(main())
