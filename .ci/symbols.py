"""The symbol graphs of the modules: their public declarations and documentation, as the compiler writes them."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Of each package the targets to build, and the modules that these bring. Where there is a SwiftUI, if only a stand-in, FluxUI
# has all of its declarations.
PACKAGES = {
    ROOT: (
        ["Flux", "FluxTesting"],
        ["FluxCore", "FluxCollections", "FluxMiddleware", "FluxAsync", "FluxLists", "FluxTesting", "Flux"],
    ),
    ROOT / "Tests" / "SwiftUIFace": (["FluxUI"], ["FluxUI"]),
    ROOT / "Inspector": (["FluxInspector"], ["FluxInspector"]),
}


def said_by(*command):
    """What a command says that succeeds."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def write_symbol_graphs(folder):
    """Builds the modules, without tests and samples, and has the compiler write the symbols of each into a folder."""
    triple = json.loads(said_by("swift", "-print-target-info"))["target"]["triple"]
    for package, (targets, modules) in PACKAGES.items():
        build = ["swift", "build", "--package-path", str(package)]
        for target in targets:
            subprocess.run([*build, "--target", target], check=True, stdout=sys.stderr)
        built = pathlib.Path(said_by(*build, "--show-bin-path").strip()) / "Modules"
        # The modules in C of the packages that it depends on: those with a map of their own, and those for which the
        # package manager writes one.
        maps = [
            *(package / ".build" / "checkouts").glob("*/*/include/module.modulemap"),
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
    """The files with the symbols of a module, and with what it adds to types of others."""
    return [folder / f"{module}.symbols.json", *sorted(folder.glob(f"{module}@*.symbols.json"))]
