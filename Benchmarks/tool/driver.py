"""The program that runs the workloads: its build, and its list of workloads."""
import json, os, subprocess, sys
from dataclasses import dataclass

# In seconds, longer than any workload takes on a slow machine.
PATIENCE = 900
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@dataclass(frozen=True)
class Workload:
    group: str
    name: str
    title: str
    unit: str
    turns: int
    runs: int
    floor: str = None


def build():
    """Builds the driver without debug information, which valgrind would read each time, and returns its path."""
    options = os.environ.get("RELEASE_BUILD", "-c release").split()
    command = ["swift", "build", *options, "--package-path", PACKAGE, "--product", "Driver", "-Xlinker", "-S"]
    if subprocess.run(command, stdout=sys.stderr).returncode != 0:
        sys.exit("The build of the driver failed.")
    path = subprocess.run(command + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return os.path.join(path, "Driver")


def workloads(program):
    """Returns all workloads by name, in the order of the tables."""
    listed = subprocess.run([program, "list"], check=True, capture_output=True, text=True).stdout
    all_of_them = [Workload(**entry) for entry in json.loads(listed)]
    known = {workload.name: workload for workload in all_of_them}
    if len(known) < len(all_of_them):
        sys.exit("Two workloads have the same name.")
    for workload in all_of_them:
        if workload.floor and workload.floor not in known:
            sys.exit(f"The floor of {workload.name} is {workload.floor}, which is not a workload.")
    return known


def run(command):
    """Runs a command with deterministic hashing, and returns its output."""
    environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        sys.exit(f"{' '.join(command)} did not end within {PATIENCE} s.")
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout
