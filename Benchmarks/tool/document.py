"""The figures in Documentation/Performance.md, and the chart next to that page."""
import os, re

import chart, driver, table

FOLDER = os.path.join(os.path.dirname(driver.PACKAGE), "Documentation")


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
    with open(os.path.join(FOLDER, "Performance.svg"), "w") as file:
        file.write(chart.svg(workloads, figures))
    print("Written: Documentation/Performance.md and Documentation/Performance.svg")
    if tables:
        print("The document has no markers for: " + ", ".join(tables))
