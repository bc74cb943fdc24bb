"""Budgets: upper limits for figures and for formulas of figures."""
import ast, json, operator, os, subprocess
from dataclasses import dataclass

import driver

PATH = os.path.join(driver.PACKAGE, "budgets.json")
OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


@dataclass(frozen=True)
class Budget:
    name: str
    figure: str
    most: float
    line: int

    def figures(self):
        """Returns the names of figures in the formula of the budget.

        The name dispatch_casting means the workload dispatch-casting in the unit of the workload. The
        names dispatch_casting_allocations and dispatch_casting_lookups mean its allocations and look-ups.
        """
        return [node.id for node in ast.walk(ast.parse(self.figure)) if isinstance(node, ast.Name)]

    def value(self, figures):
        def of(node):
            match node:
                case ast.BinOp(left, operation, right) if type(operation) in OPERATIONS:
                    return OPERATIONS[type(operation)](of(left), of(right))
                case ast.Name(name):
                    return figures[name]
                case ast.Constant(value):
                    return value
            raise ValueError(f"{self.place}: a figure may contain only names, numbers, + - * /, and parentheses.")

        return of(ast.parse(self.figure, mode="eval").body)

    @property
    def place(self):
        return f"{os.path.relpath(PATH)}:{self.line}"

    def since(self):
        """Returns a sentence that names the commit that set the budget, and the date of the commit."""
        def git(*command):
            return subprocess.run(["git", "-C", driver.PACKAGE, *command], capture_output=True, text=True).stdout

        commit = git("blame", "-s", "-l", f"-L{self.line},{self.line}", "--", PATH).split(" ")[0]
        if not commit.strip("0^"):
            return "this budget is not committed yet"
        # In a shallow clone, git marks the oldest commit with a caret.
        or_before = " or before" if commit.startswith("^") else ""
        return "this budget was set in " + git("show", "-s", "--format=%h, %as, “%s”", commit.lstrip("^")).strip() + or_before


def load(workloads):
    """Returns the budgets, and raises an error if a budget names an unknown workload."""
    with open(PATH) as file:
        text = file.read()
    lines = text.splitlines()
    budgets = []
    for entry in json.loads(text):
        line = next(number for number, line in enumerate(lines, 1) if json.dumps(entry["name"], ensure_ascii=False) in line)
        budgets.append(Budget(entry["name"], entry["figure"], entry["most"], line))
    known = {name for workload in workloads.values() for name in names(workload)}
    for budget in budgets:
        refuse_unknown(budget, known)
    return budgets


def refuse_unknown(budget, known):
    unknown = [name for name in budget.figures() if name not in known]
    if unknown or not budget.figures():
        raise ValueError(f'{budget.place}: "{budget.figure}" names no workload: {", ".join(unknown) or "nothing"}.')


def names(workload):
    name = workload.name.replace("-", "_")
    return [name, name + "_allocations", name + "_lookups"] if workload.unit == "instructions" else [name]


def wanted(budgets, workloads):
    """Returns the workloads that budgets refer to."""
    named = {name for budget in budgets for name in budget.figures()}
    return [workload for workload in workloads.values() if named & set(names(workload))]


def by_name(measured):
    """Returns the figures by their names in formulas."""
    seen = {}
    for workload, found in measured.items():
        name = workload.replace("-", "_")
        seen[name] = next(found[unit] for unit in ("instructions", "bytes", "nanoseconds") if unit in found)
        seen.update({f"{name}_{also}": found[also] for also in ("allocations", "lookups") if also in found})
    return seen


def check(budgets, figures):
    """Prints the result of each budget, and returns the number of exceeded budgets."""
    broken = []
    for budget in budgets:
        value = budget.value(figures)
        if value <= budget.most:
            print(f"met       {budget.name}: {value:.2f}, at most {budget.most}")
        else:
            broken.append(budget)
            print(f"EXCEEDED  {budget.name}: {value:.2f}, at most {budget.most}")
    for budget in broken:
        excess = budget.value(figures) - budget.most
        percent = f", {100 * excess / budget.most:.1f} %" if budget.most else ""
        print(
            f"\n{budget.place}: {budget.name}: {budget.figure} is {budget.value(figures):.2f}, "
            f"{excess:.2f}{percent} more than the limit of {budget.most}; {budget.since()}")
    print(f"\n{len(budgets) - len(broken)} of {len(budgets)} budgets are met.")
    return len(broken)


def prove(budgets, figures):
    """Increases figures until each budget is exceeded, and prints the smallest sufficient increases.

    Returns the number of budgets that no figure can exceed.
    """
    immune = 0
    for budget in budgets:
        ways = [way for way in (breaking(budget, name, figures) for name in dict.fromkeys(budget.figures())) if way]
        if ways:
            print(f"can fail     {budget.name}: " + ", or ".join(ways))
        else:
            immune += 1
            print(f"CANNOT FAIL  {budget.name}: no figure exceeds the limit")
    try:
        refuse_unknown(Budget("planted", "no_such_workload + 1", 1, 0), set(figures))
        immune += 1
        print("CANNOT FAIL  a planted budget with an unknown workload is accepted")
    except ValueError:
        print("can fail     a planted budget with an unknown workload is rejected")
    return immune


def breaking(budget, name, figures):
    """Returns the value of a figure above which a budget is exceeded, as text, or no value if none is."""
    def breaks(value):
        return budget.value(dict(figures, **{name: value})) > budget.most

    now = figures[name]
    low, high = now, now + 1
    while not breaks(high):
        low, high = high, now + (high - now) * 2
        if high > 1e12:
            return None
    while high - low > max(0.0001, now / 1_000):
        middle = (low + high) / 2
        low, high = (low, middle) if breaks(middle) else (middle, high)
    return f"if {name} exceeds {low:.2f} (measured: {now:.2f})"
