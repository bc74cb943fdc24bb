"""Measures workloads: a turn's instructions, bytes or nanoseconds."""
import os, statistics, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

import callgrind, driver

TIMED_RUNS = 7


def measure(program, workloads, tell=lambda workload, figures: None):
    """The figures of one turn of each workload. Counting shares the processors; times have them to themselves."""
    figures = {}
    counted = [w for w in workloads if w.unit != "nanoseconds"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for workload, found in zip(counted, pool.map(lambda workload: count(program, workload), counted)):
            figures[workload.name] = found
            tell(workload, found)
    timed = [w for w in workloads if w.unit == "nanoseconds"]
    times = {w.name: [] for w in timed}
    # In turn, so that what slows the machine for a while slows them all.
    for _ in range(TIMED_RUNS):
        for workload in timed:
            times[workload.name].append(float(driver.run([program, workload.name])))
    for workload in timed:
        runs = times[workload.name]
        figures[workload.name] = {"nanoseconds": statistics.median(runs), "least": min(runs), "most": max(runs)}
        tell(workload, figures[workload.name])
    return figures


def count(program, workload):
    if workload.unit == "bytes":
        return {"bytes": float(driver.run([program, workload.name]))}
    with tempfile.NamedTemporaryFile() as profile:
        # The driver turns counting on when all is set up: until then valgrind is about ten times as quick.
        driver.run([
            "valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={profile.name}", program,
            workload.name])
        counted = callgrind.counts(profile.name)
    if counted[0] == 0:
        sys.exit("Nothing was counted: the driver was built without valgrind's header. Install valgrind, and build anew.")
    per_turn = [count / workload.turns for count in counted]
    return dict(zip(("instructions", "allocations", "lookups"), per_turn))
