"""The program that does the workloads: how it is built, and what it can do."""
import json, os, subprocess, sys
from dataclasses import dataclass

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@dataclass(frozen=True)
class Workload:
    group: str
    name: str
    title: str
    unit: str
    turns: int
    floor: str = None


def build():
    """Builds the driver, and returns its path. Without what debuggers want, which valgrind would read each time."""
    command = ["swift", "build", "-c", "release", "--package-path", PACKAGE, "--product", "Driver", "-Xlinker", "-S"]
    if subprocess.run(command, stdout=sys.stderr).returncode != 0:
        sys.exit("The driver does not build.")
    path = subprocess.run(command + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return os.path.join(path, "Driver")


def workloads(program):
    """All workloads by their names, in the order of tables."""
    listed = subprocess.run([program, "list"], check=True, capture_output=True, text=True).stdout
    all_of_them = [Workload(**entry) for entry in json.loads(listed)]
    known = {workload.name: workload for workload in all_of_them}
    if len(known) < len(all_of_them):
        sys.exit("Two workloads have the same name.")
    for workload in all_of_them:
        if workload.floor and workload.floor not in known:
            sys.exit(f"The floor of {workload.name} is {workload.floor}, which is no workload.")
    return known


def run(command):
    """Runs a command with hashing that repeats, and returns what it printed."""
    environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout
