# SPDX-License-Identifier: Apache-2.0
"""One function, many cases, over processes: what ``abut sweep`` is for commands of the tool."""
from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from multiprocessing import get_context


def cases(**values: Sequence) -> list[dict]:
    """All combinations of lists of values, the last name fastest: ``cases(mu=[0.2, 0.5], seed=range(10))``."""
    return [dict(zip(values, row)) for row in itertools.product(*values.values())]


def _ask(call: Callable[..., object], case: Mapping) -> dict:
    try:
        answer = call(**case)
    except Exception as problem:
        return {**case, "error": f"{type(problem).__name__}: {problem}"}
    return {**case, **(answer if isinstance(answer, Mapping) else {"answer": answer}), "error": ""}


def sweep(call: Callable[..., object], cases: Iterable[Mapping], *, workers: int = 0) -> list[dict]:
    """``call(**case)`` for every case, handed out one by one to so many processes (0: one for each processor).

    One row for each case, in their order whatever the number of workers: the case, what the call gave (a dictionary, or
    else under 'answer'), and 'error', empty or the message of a case that failed.
    """
    rows = list(cases)
    count = min(workers or os.cpu_count() or 1, max(1, len(rows)))
    if count == 1:
        return [_ask(call, case) for case in rows]
    with get_context("fork").Pool(count) as pool:
        return list(pool.imap(partial(_ask, call), rows, chunksize=1))
