"""Measures the instructions, bytes, or nanoseconds of one turn of a workload."""
import os, statistics, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

import callgrind, driver

TIMED_RUNS = 7


def measure(program, workloads, tell=lambda workload, figures: None):
    """Returns the figures of one turn of each workload.

    Workloads that are counted run in parallel. Workloads that are timed run alone.
    """
    figures = {}
    counted = [w for w in workloads if w.unit != "nanoseconds"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for workload, found in zip(counted, pool.map(lambda workload: count(program, workload), counted)):
            figures[workload.name] = found
            tell(workload, found)
    timed = [w for w in workloads if w.unit == "nanoseconds"]
    times = {w.name: [] for w in timed}
    # The workloads alternate, so that a temporary load of the machine slows all of them.
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
    runs = sorted(count_once(program, workload) for _ in range(workload.runs))
    return dict(zip(("instructions", "allocations", "lookups"), runs[len(runs) // 2]))


def count_once(program, workload):
    """Returns the instructions, allocations, and look-ups of one turn."""
    with tempfile.NamedTemporaryFile() as profile:
        # The driver turns counting on after the setup. Without counting, valgrind is about ten times faster.
        driver.run([
            "valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={profile.name}", program,
            workload.name])
        counted = callgrind.counts(profile.name)
    if counted[0] == 0:
        sys.exit("No instructions were counted, because the driver was built without valgrind's header. "
                 "Install valgrind and build again.")
    return [count / workload.turns for count in counted]
