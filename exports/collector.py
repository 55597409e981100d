"""Python's search for reference cycles, out of the way of work that makes none."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """Do not search for cycles inside the block: a third of an export's time went there, and found nothing.

    Only for a worker's own process, and for work that ends: what the block leaves is searched after it. Objects without
    cycles are freed at once as ever.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
