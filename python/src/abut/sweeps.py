# SPDX-License-Identifier: Apache-2.0
"""One function, many cases, over processes: what ``abut sweep`` is for commands of the tool."""
from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from ._arrays import check_count, function


def cases(**values: Sequence) -> list[dict]:
    """All combinations of lists of values, the last name fastest: ``cases(mu=[0.2, 0.5], seed=range(10))``."""
    return [dict(zip(values, row)) for row in itertools.product(*values.values())]


def _failed(case: Mapping, why: object) -> dict:
    return {**case, "error": str(why)}


def _ask(call: Callable[..., object], case: Mapping) -> dict:
    try:
        answer = call(**case)
    except Exception as problem:
        return _failed(case, f"{type(problem).__name__}: {problem}")
    told = answer if isinstance(answer, Mapping) else {"answer": answer}
    return {**case, **{f"result.{key}" if key in case or key == "error" else key: value for key, value in told.items()}, "error": ""}


def _work(call: Callable[..., object], pipe: Connection) -> None:
    """A worker: answers cases until there are none."""
    while (case := pipe.recv()) is not None:
        row = _ask(call, case)
        try:
            pipe.send(row)
        except Exception as problem:  # an answer that cannot be sent
            pipe.send(_failed(case, f"{type(problem).__name__}: {problem}"))


def _start(call: Callable[..., object]) -> tuple[Connection, BaseProcess]:
    context = get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(call, there), daemon=True)
    process.start()
    there.close()
    return here, process


def _spread(call: Callable[..., object], rows: list[Mapping], count: int) -> list[dict]:
    """Cases one by one to workers; one that dies makes its case a row, and another takes its place."""
    out: list[dict] = [{} for _ in rows]
    idle = [_start(call) for _ in range(count)]
    busy: dict[Connection, tuple[int, BaseProcess]] = {}
    todo = iter(range(len(rows)))
    try:
        while True:
            while idle and (number := next(todo, None)) is not None:
                pipe, process = idle.pop()
                pipe.send(rows[number])
                busy[pipe] = number, process
            if not busy:
                return out
            for pipe in wait(list(busy)):
                number, process = busy.pop(pipe)
                try:
                    out[number] = pipe.recv()
                    idle.append((pipe, process))
                except EOFError:
                    process.join()
                    out[number] = _failed(rows[number], f"the process ended with status {process.exitcode}")
                    idle.append(_start(call))
    finally:
        for _, process in [*idle, *busy.values()]:
            process.terminate()
            process.join()


def sweep(call: Callable[..., object], cases: Iterable[Mapping], *, jobs: int = 0) -> list[dict]:
    """``call(**case)`` for every case, handed out one by one to so many processes (0: one for each processor).

    One row for each case, in their order whatever the number of processes: the case, what the call gave (a dictionary, or
    else under 'answer'; a name of the case becomes 'result.name'), and 'error', empty or the message of a case that
    failed, also where its process died.
    """
    if isinstance(cases, (str, bytes)) or not isinstance(cases, Iterable):
        raise TypeError(f"cases: expected dictionaries, got {cases!r}")
    rows = list(cases)
    for case in rows:
        if not isinstance(case, Mapping):
            raise TypeError(f"cases: expected dictionaries, got {case!r}")
    function(call, "call")
    count = min(check_count(jobs, "jobs") or os.cpu_count() or 1, max(1, len(rows)))
    if count == 1:
        return [_ask(call, case) for case in rows]
    return _spread(call, rows, count)
