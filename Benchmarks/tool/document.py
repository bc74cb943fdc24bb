"""The figures in Documentation/Performance.md and in the guide, and the chart next to the page."""
import os, re

import chart, driver, table

ROOT = os.path.dirname(driver.PACKAGE)
FOLDER = os.path.join(ROOT, "Documentation")
GUIDE = os.path.join("Sources", "FluxCore", "FluxCore.docc", "Performance.md")


def write(workloads, figures):
    """Replaces the table of each group, between the markers of the group, and writes the chart."""
    tables = table.markdown(workloads, figures)
    if "Threads" in tables:
        tables["Threads"] += "\n\n" + table.threads(figures)
    path = os.path.join(FOLDER, "Performance.md")
    with open(path) as file:
        text = file.read()

    def replaced(match):
        group = match[2]
        return f"{match[1]}{tables.pop(group)}\n{match[3]}" if group in tables else match[0]

    text = re.sub(r"(<!-- figures: ([^>]+) -->\n).*?(<!-- end -->)", replaced, text, flags=re.S)
    with open(path, "w") as file:
        file.write(text)
    update_guide(text)
    with open(os.path.join(FOLDER, "Performance.svg"), "w") as file:
        file.write(chart.svg(workloads, figures))
    print(f"Written: Documentation/Performance.md, Documentation/Performance.svg, and {GUIDE}")
    if tables:
        print("The document has no markers for: " + ", ".join(tables))


def update_guide(text):
    """Replaces the figures in the tables of the guide, whose rows have the names of workloads."""
    rows = [[cell.strip() for cell in line.split("|")] for line in text.splitlines() if line.startswith("| `")]
    figures = {}
    for row in rows:
        figures.setdefault(row[2], row[3])
    path = os.path.join(ROOT, GUIDE)
    with open(path) as file:
        guide = file.read()

    def replaced(match):
        return f"| {match[1]} | {figures.get(match[1], match[2])} |"

    guide = re.sub(r"^\| (.+) \| ([0-9,.]+) \|$", replaced, guide, flags=re.M)
    with open(path, "w") as file:
        file.write(guide)
