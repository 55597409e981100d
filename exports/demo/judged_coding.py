"""Judgements of the tasks of `coding-help`, by task and annotator."""

from __future__ import annotations

from exports.demo.scripted import DemoJudgement, PromptJudgement, better, only, rated

P95 = {
    "mina": only(
        better(
            "r1",
            2,
            "The container has no packages besides Python, and the answer with pandas cannot run there; telling them to "
            "`pip install` misses the point. The standard library version runs as it is, defines nearest rank before "
            "it uses it, and links the result to the peak at 14:00 in the chart.",
            rated((5, 5, 5, 4), (2, 4, 2, 4)),
        )
    ),
    "tomas": only(
        better(
            "r1",
            2,
            "Both functions are right for the percentile they use. What decides it is the constraint from the first turn: "
            "no other packages. The pandas answer ignores it. I like that it is honest about interpolation, but that "
            "does not help somebody who cannot import it.",
            rated((5, 5, 5, 4), (3, 4, 2, 4)),
        )
    ),
    "aiko": only(
        better(
            "r1",
            3,
            "I ran both in an empty virtual environment: the one with `csv` returns the 95th of 100 values, the one with "
            "pandas stops at the import. It also ends with an offer to draw a chart, although they already have one.",
            rated((5, 5, 5, 5), (1, 4, 1, 3)),
        )
    ),
}

KEEP_LAST = {
    "tomas": only(
        better(
            "r2",
            3,
            "The dict comprehension keeps the place of the FIRST occurrence: for `a1, b1, a2` it returns `a2, b1`, which is "
            "exactly the example in the prompt done wrong. The answer that pops the key first returns `b1, a2`.",
            rated((2, 1, 2, 4), (5, 5, 5, 5)),
        )
    ),
    "aiko": only(
        better(
            "r2",
            3,
            "Tried both with the two rows of the table. The version with `pop` passes, the one-liner fails on the first "
            "row and claims that the order is kept. A wrong answer that explains why it is right is worse than a short one.",
            rated((1, 1, 2, 4), (5, 5, 5, 4)),
        )
    ),
    "yusuf": only(
        better(
            "r2",
            2,
            "Only the answer with `latest.pop` gives the order that was asked for, and it says why the obvious solution "
            "does not. The other one looks tidier and would pass a careless review, but its output order is wrong.",
            rated((2, 2, 2, 5), (5, 5, 5, 4)),
        )
    ),
}

PAID_ORDERS = {
    "mina": only(
        better(
            "r1",
            3,
            "Customers without orders must show 0. The query with `WHERE o.status = 'paid'` drops them, because status is "
            "NULL in those rows, and `COUNT(*)` would give them 1 anyway. The query with the conditions in `ON` is right.",
            rated((5, 5, 5, 5), (2, 1, 1, 4)),
        )
    ),
    "aiko": only(
        better(
            "r1",
            3,
            "Checked in SQLite with three customers: the query that filters in the join returns 2, 1, 0; the one that "
            "filters in WHERE returns only two rows. Its explanation says the opposite of what it does.",
            rated((5, 5, 5, 4), (2, 1, 2, 4)),
        )
    ),
    "yusuf": only(
        better(
            "r1",
            2,
            "The answer that counts `o.id` keeps every customer and explains both traps. The index advice in the other one "
            "is useful, but it loses the customers with zero paid orders, and that was the point of the question.",
            rated((5, 5, 5, 5), (2, 2, 1, 4)),
        )
    ),
}

MATRIX = {
    "mina": only(
        better(
            "r2",
            3,
            "The answer in four steps says that eigenvectors of different eigenvalues are orthogonal. That holds for "
            "symmetric matrices only, and A is not one. Its formula gives (7, 1; 1, 13) for n = 1. The one with the check "
            "at the end is right for n = 0 and n = 1.",
            rated((2, 1, 3, 4), (5, 5, 5, 4)),
        )
    ),
    "yusuf": only(
        better(
            "r2",
            2,
            "Multiplied both out. The one that inverts P properly, with the factor 1/3, gives A for n = 1; the other one "
            "gives a symmetric matrix, which cannot be. Its steps are laid out more clearly, but the third one is false.",
            rated((2, 1, 4, 5), (5, 5, 4, 4)),
        )
    ),
}

RETRY = {
    "tomas": only(
        better(
            "r1",
            2,
            "The hard requirement is that a 4xx is raised at once. `HTTPError` is a subclass of `URLError`, so the patch "
            "that catches only `URLError` retries a 404 three times and says that it does not. The other one is correct; "
            "the new name is a nuisance, but one line mends it.",
            rated((4, 4, 3, 4), (2, 2, 2, 5)),
        )
    ),
    "aiko": only(
        better(
            "r2",
            1,
            "The patch that renames `fetch` breaks every module that imports it, on the first start. The one that keeps the "
            "name can be applied today. It retries 404s as well, which is wrong and wastes seven seconds, but it "
            "does not take the service down.",
            rated((2, 4, 2, 3), (3, 2, 3, 4)),
        )
    ),
}

CACHE_TABLE = {
    "mina": only(
        PromptJudgement(
            "tie",
            ratings=rated((4, 5, 5, 4), (4, 4, 4, 4)),
            justification=(
                "They make up for each other. One table is deeper (threads, what is dropped), the other is quicker to take "
                "in and adds the dict as code. One row more than allowed costs about as much as the missing example."
            ),
        )
    ),
    "tomas": only(
        better(
            "r1",
            1,
            "At most five rows: one table has five, the other six, and the code block was not asked for either. The "
            "five-row answer also covers threads, which is what bites people. Both are right, so only slightly better.",
            rated((5, 5, 5, 4), (4, 4, 2, 4)),
        )
    ),
}

SLUG = {
    "aiko": DemoJudgement(
        {
            "p1": better(
                "r2",
                3,
                "Without `NFKD` the accented letters vanish: I get `crme-brle-twice`, not the output that the answer prints. "
                "The version that normalises first returns `creme-brulee-twice` and names its limits (ß, ø).",
                rated((2, 1, 2, 4), (5, 5, 5, 5)),
            ),
            "p2": better(
                "r1",
                3,
                "One parametrised function was asked for. The other answer writes five functions, and its punctuation test "
                "expects `-` where the function returns an empty string, so 'all five pass' is not true.",
                rated((5, 5, 5, 5), (2, 2, 1, 3)),
            ),
        }
    )
}

BERLIN = {
    "yusuf": only(
        PromptJudgement(
            "cannot_judge",
            reason=(
                "It depends on the type of `created_at`, which the prompt does not give. With timestamptz the query that "
                "converts once is right, with timestamp the one that converts twice is. Neither says what it assumes."
            ),
        )
    )
}

JUDGEMENTS: dict[str, dict[str, DemoJudgement]] = {
    "ch-p95-latency": P95,
    "ch-keep-last": KEEP_LAST,
    "ch-paid-orders": PAID_ORDERS,
    "ch-matrix-power": MATRIX,
    "ch-retry-diff": RETRY,
    "ch-cache-table": CACHE_TABLE,
    "ch-slug-tests": SLUG,
    "ch-berlin-days": BERLIN,
}
