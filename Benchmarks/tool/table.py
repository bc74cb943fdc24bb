"""Tables of figures, for a terminal or for a document."""


def unit_and_value(figures):
    for unit in ("instructions", "bytes", "nanoseconds"):
        if unit in figures:
            return unit, figures[unit]


def beside_floor(workload, figures):
    """Returns the ratio of a workload to its floor as text, or an empty text if the run has no floor for it."""
    floor = figures.get(workload.floor)
    if floor is None:
        return ""
    over = unit_and_value(figures[workload.name])[1] / unit_and_value(floor)[1]
    if over < 0.1:
        return f"1/{1 / over:,.0f}"
    return f"{over:.2f} ×" if over < 100 else f"{over:,.0f} ×"


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}".removesuffix(".0")


def few(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


HEADING = f'{"workload":34}{"a turn":>14} {"":14}{"allocations":>12}{"look-ups":>10}{"over floor":>14}'


def row(workload, figures, all_figures):
    unit, value = unit_and_value(figures)
    beside = beside_floor(workload, all_figures)
    counted = f'{few(figures["allocations"]):>12}{few(figures["lookups"]):>10}' if unit == "instructions" else " " * 22
    return f"{workload.name:34}{number(value):>14} {unit:14}{counted}{beside:>14}  {spread(figures)}".rstrip()


def spread(figures):
    return f'({number(figures["least"])} to {number(figures["most"])})' if "least" in figures else ""


def threads(figures):
    """Returns the slowdown of concurrent threads, one sentence per line, or an empty text if not measured."""
    said = []
    for words, one, other in (
            ("Two threads, relative to one thread that does the same work", "two-threads", "one-thread"),
            ("A writer with a concurrent reader, relative to a writer alone", "writer-with-reader", "writer")):
        if one in figures and other in figures:
            said.append(f'{words}: {figures[one]["nanoseconds"] / figures[other]["nanoseconds"]:.1f} ×')
    return ".\n".join(said) + "." if said else ""


def markdown(workloads, figures):
    """Returns a table of the measured workloads of each group, by the title of the group."""
    tables = {}
    for workload in workloads:
        found = figures.get(workload.name)
        if found is None:
            continue
        unit, value = unit_and_value(found)
        if workload.group not in tables:
            more = [" allocations |", " ---: |"] if unit == "instructions" else ["", ""]
            tables[workload.group] = [
                f"| workload | | {unit} |{more[0]} over the floor |", f"| --- | --- | ---: |{more[1]} ---: |"]
        allocations = f' {few(found["allocations"])} |' if unit == "instructions" else ""
        line = (
            f"| `{workload.name}` | {workload.title} | {number(value)} {spread(found)} |{allocations}"
            f" {beside_floor(workload, figures)} |")
        tables[workload.group].append(line.replace("  |", " |"))
    return {group: "\n".join(lines) for group, lines in tables.items()}
