"""Summaries of the measured times and memory."""


def percentiles(seconds):
    """Returns the percentiles of times, in milliseconds."""
    ordered = sorted(seconds)
    if not ordered:
        return {}
    at = lambda share: ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000
    return {"p50": at(0.5), "p95": at(0.95), "p99": at(0.99), "max": ordered[-1] * 1000, "count": len(ordered)}


def row(name, times):
    """Returns a line of the table of times."""
    if not times:
        return f"{name:<34} not measured"
    cells = "".join(f"{times[key]:>9.1f}" for key in ("p50", "p95", "p99", "max"))
    return f"{name:<34}{cells}{times['count']:>10}"


HEADING = f"{'milliseconds':<34}{'p50':>9}{'p95':>9}{'p99':>9}{'max':>9}{'count':>10}"


def growth(samples, changes, begin, end):
    """Measures the growth of the memory from the third quarter of a period to the fourth.

    `samples` contains pairs of time and KiB, and `changes` contains the times of changes. Returns the
    peak of each of these quarters in MiB, and the number of changes in the fourth quarter.
    """
    quarter = (end - begin) / 4
    third = [size for time, size in samples if begin + 2 * quarter <= time < begin + 3 * quarter]
    fourth = [size for time, size in samples if begin + 3 * quarter <= time <= end]
    if not third or not fourth:
        return None
    return max(third) / 1024, max(fourth) / 1024, sum(begin + 3 * quarter <= time <= end for time in changes)
