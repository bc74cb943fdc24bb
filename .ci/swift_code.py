"""The Swift files of the repository, and their code without comments and strings."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Comments and the text of string literals are not code.
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|#*"""(?:.|\n)*?"""#*|#+"[^\n]*?"#+|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def without_text(source):
    """Removes comments and strings, and keeps the line breaks, so that line numbers stay correct."""
    return NOT_CODE.sub(lambda match: "\n" * match.group().count("\n"), source)


def files(*patterns):
    """Returns the paths of the files, relative to the root, that are in the repository or are new."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return [path for path in listed.stdout.split() if (ROOT / path).is_file()]


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")
