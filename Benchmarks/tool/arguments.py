"""The arguments of the command line."""
import sys
from dataclasses import dataclass, field


@dataclass
class Given:
    names: list = field(default_factory=list)
    options: dict = field(default_factory=dict)
    flags: set = field(default_factory=set)


def parse(arguments, usage, options=(), flags=()):
    given = Given()
    rest = iter(arguments)
    for argument in rest:
        if argument in ("-h", "--help"):
            sys.exit(usage)
        elif argument in flags:
            given.flags.add(argument)
        elif argument in options:
            value = next(rest, None)
            if value is None:
                sys.exit(f"{argument} needs a value.\n\n{usage}")
            given.options[argument] = value
        elif argument.startswith("-"):
            sys.exit(f"There is no option {argument}.\n\n{usage}")
        else:
            given.names.append(argument)
    return given


def choose(names, known):
    """Returns the workloads with the given names, or all workloads if no name is given."""
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"There is no workload {', '.join(unknown)}. There are:\n  " + "\n  ".join(known))
    return [known[name] for name in names] if names else list(known.values())
