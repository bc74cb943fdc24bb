"""The chart, which shows each workload that has a floor as a bar, and the floor as a line across the bar.

The scale is logarithmic: each grid line means ten times the value of the previous grid line.
"""
import math
from html import escape

import table

LABELS, BARS, WIDTH, ROW = 470, 400, 1060, 21
TEXT, FAINT, GRID, BAR, FLOOR = "#24292f", "#6e7781", "#e4e8ec", "#8db9e8", "#c2410c"
FONT = "font-family='system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif'"


def svg(workloads, figures):
    shown = [w for w in workloads if w.floor in figures and w.name in figures]
    body, y = [], 64
    for unit in ("instructions", "nanoseconds", "bytes"):
        rows = [w for w in shown if w.unit == unit]
        if rows:
            part, y = panel(unit, rows, figures, y)
            body += part
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{y}' viewBox='0 0 {WIDTH} {y}' {FONT}>"
        f"<rect width='{WIDTH}' height='{y}' fill='white'/>"
        + text(20, 30, "Cost of a turn", 17, weight=600)
        + text(20, 50, "Shorter bars are better. Each grid line is ten times the previous one.", 12, FAINT)
        + f"<rect x='{LABELS + 60}' y='40' width='22' height='11' fill='{BAR}'/>" + text(LABELS + 88, 50, "Flux", 12)
        + f"<path d='M{LABELS + 142} 38v15' stroke='{FLOOR}' stroke-width='3'/>"
        + text(LABELS + 152, 50, "handwritten code that does the same", 12))
    return head + "".join(body) + "</svg>\n"


def panel(unit, rows, figures, y):
    """Returns the drawing of all workloads of one unit, by group and on one scale, and the next position."""
    values = [table.unit_and_value(figures[name])[1] for w in rows for name in (w.name, w.floor)]
    low = math.floor(math.log10(max(1, min(values))))
    high = math.ceil(math.log10(max(values)) + 0.01)

    def x(value):
        return LABELS + (math.log10(max(value, 10**low)) - low) / (high - low) * BARS

    grid_y, marks, group = y + 20, [], None
    y += 22
    for workload in rows:
        if workload.group != group:
            group = workload.group
            y += 10
            marks.append(text(20, y + 15, group, 13, weight=600))
            y += ROW
        value, floor = (table.unit_and_value(figures[name])[1] for name in (workload.name, workload.floor))
        end = max(x(value), x(floor))
        marks += [
            text(LABELS - 12, y + 14, workload.title.replace("`", ""), 12, anchor="end", room=LABELS - 30),
            f"<rect x='{LABELS}' y='{y + 3}' width='{max(2, x(value) - LABELS):.1f}' height='{ROW - 7}' fill='{BAR}'/>",
            f"<path d='M{x(floor):.1f} {y + 1}v{ROW - 3}' stroke='{FLOOR}' stroke-width='3'/>",
            text(end + 8, y + 14, f"{amount(value)}  ({table.beside_floor(workload, figures)})", 11, FAINT)]
        y += ROW
    grid = [text(20, grid_y - 2, unit, 12, FAINT, weight=600)]
    for power in range(low, high + 1):
        at = x(10**power)
        grid.append(f"<path d='M{at:.1f} {grid_y + 4}V{y + 4}' stroke='{GRID}'/>")
        if (power - low) % 2 == 0:
            grid.append(text(at, grid_y - 2, amount(10**power), 11, FAINT, anchor="middle"))
    return grid + marks, y + 28


def amount(value):
    return f"{value / 1e6:.3g} million" if value >= 1e6 else table.number(value)


def text(x, y, words, size, colour=TEXT, weight=400, anchor="start", room=None):
    # A label that is too long is drawn narrower.
    fit = f" textLength='{room}' lengthAdjust='spacingAndGlyphs'" if room and len(words) * size * 0.56 > room else ""
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' font-weight='{weight}' fill='{colour}'"
        f" text-anchor='{anchor}'{fit}>{escape(words)}</text>")
