"""The cost for a program that imports Flux: the time of a first build, and the size of the binary."""
import os, shutil, subprocess, sys, tempfile, time

import driver

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Client", platforms: [.macOS(.v15)], dependencies: [DEPENDENCIES],
  targets: [.executableTarget(name: "Client", dependencies: [PRODUCTS], path: ".")])
"""

HELLO = """print("Hello, world!")
"""

COUNTER = """import MODULE

struct Counter: FluxState { var value = 0 }
struct Increment: Action {}

let store = Store(reducer: on(Increment.self) { counter, _ in counter.value += 1 }, state: Counter())
store.dispatch(Increment())
print("Hello, world!", store.state.value)
"""


def measure():
    print(f'{"a program that imports":26}{"first build, debug":>22}{"release":>12}{"binary":>14}{"with the run-time":>26}')
    for module in (None, "FluxCore", "Flux"):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, module)
            # The manifest is compiled first, so that the times of builds do not include it.
            run(["swift", "package", "--package-path", folder, "dump-package"])
            debug, _ = build(folder, "debug")
            release, size = build(folder, "release")
            _, whole = build(folder, "release", "--static-swift-stdlib")
            print(
                f'{module or "nothing":26}{debug:>20.1f} s{release:>10.1f} s{size / 1e3:>11,.0f} kB{whole / 1e3:>23,.0f} kB',
                flush=True)


def write(folder, module):
    root = os.path.dirname(driver.PACKAGE)
    dependencies = f'.package(name: "Flux", path: "{root}")' if module else ""
    products = f'.product(name: "{module}", package: "Flux")' if module else ""
    with open(os.path.join(folder, "Package.swift"), "w") as file:
        file.write(MANIFEST.replace("DEPENDENCIES", dependencies).replace("PRODUCTS", products))
    with open(os.path.join(folder, "main.swift"), "w") as file:
        file.write(COUNTER.replace("MODULE", module) if module else HELLO)


def build(folder, configuration, *options):
    """Returns the seconds of a clean build, and the size of its stripped binary in bytes."""
    built = os.path.join(folder, ".build")
    shutil.rmtree(built, ignore_errors=True)
    command = ["swift", "build", "--package-path", folder, "-c", configuration, "-Xlinker", "-s", *options]
    start = time.monotonic()
    run(command)
    taken = time.monotonic() - start
    return taken, os.path.getsize(os.path.join(built, configuration, "Client"))


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
