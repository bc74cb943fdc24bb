"""Symbol graphs of the modules: the public declarations and documentation that the compiler writes."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# For each package, the targets to build and the modules to extract. FluxUI is built in the package
# with the stand-in for SwiftUI, because FluxUI has all its declarations only if SwiftUI exists.
PACKAGES = {
    ROOT: (
        ["Flux", "FluxLog", "FluxNavigation", "FluxTesting"],
        ["FluxCore", "FluxCollections", "FluxMiddleware", "FluxAsync", "FluxLists", "FluxQuery", "FluxLog", "FluxNavigation", "FluxTesting", "Flux"],
    ),
    ROOT / "Tests" / "SwiftUIFace": (["FluxUI"], ["FluxUI"]),
    ROOT / "Inspector": (["FluxInspector"], ["FluxInspector"]),
}

# The options with which the tests of a package are built, so that the modules are built once.
OPTIONS = {
    ROOT: os.environ.get("DEBUG_BUILD", "").split(),
    ROOT / "Tests" / "SwiftUIFace": os.environ.get("FACE_BUILD", "--enable-code-coverage").split(),
}


def said_by(*command):
    """Returns the output of a command, which must succeed."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def write_symbol_graphs(folder):
    """Builds the modules, without tests and samples, and writes their symbol graphs into a folder."""
    triple = json.loads(said_by("swift", "-print-target-info"))["target"]["triple"]
    for package, (targets, modules) in PACKAGES.items():
        build = ["swift", "build", "--package-path", str(package), *OPTIONS.get(package, [])]
        for target in targets:
            subprocess.run([*build, "--target", target], check=True, stdout=sys.stderr)
        built = pathlib.Path(said_by(*build, "--show-bin-path").strip()) / "Modules"
        # The module maps of C modules in dependencies: maps that a package contains, and maps that the
        # package manager generates.
        maps = [
            *(built.parents[2] / "checkouts").glob("*/*/include/module.modulemap"),
            *built.parent.glob("*.build/module.modulemap"),
        ]
        headers = [option for file in sorted(maps) for option in ("-I", str(file.parent))]
        for module in modules:
            extract = ["swift", "symbolgraph-extract", "-module-name", module, "-I", str(built), *headers]
            extract += ["-target", triple]
            extract += ["-minimum-access-level", "public", "-skip-synthesized-members"]
            extract += ["-emit-extension-block-symbols", "-output-dir", str(folder)]
            subprocess.run(extract, check=True)


def symbol_graphs(module, folder):
    """Returns the files with the symbols of a module and with its extensions of types of other modules."""
    return [folder / f"{module}.symbols.json", *sorted(folder.glob(f"{module}@*.symbols.json"))]
