"""The counts of one run in callgrind's profile: instructions, allocations, and look-ups of the run-time."""
import re

ALLOCATE = {"malloc", "calloc", "realloc", "posix_memalign", "memalign", "aligned_alloc"}

# The functions that Swift's run-time calls for unspecialized code, to make or find types and
# conformances, and to cast.
LOOK_UP = re.compile(
    r"swift_(get\w*(Metadata|WitnessTable|TypeByMangledName)\w*|getAssociated\w+|conformsToProtocol\w*|dynamicCast\w*"
    r"|checkMetadataState|instantiate\w+|allocateGeneric\w+|getKeyPath)$")

# A thread that waits for a mutex first tries again many times. How often depends on when valgrind
# switches threads, and not on the measured code, so these instructions are not counted.
WAIT = re.compile(r"\$s15Synchronization12_MutexHandleV9_lockSlow")

# The thread pool keeps the memory of jobs that have ended, for each of its threads. Whether a thread has
# memory for the next job depends on the threads that have run the jobs before, and not on the measured
# code, so these allocations are not counted.
POOL = "_dispatch_continuation_alloc_from_heap"

# A line with the cost of a function: its position, which can be relative, and instructions.
COST = re.compile(r"[-+*\d]\S* \d+$")


def counts(profile):
    """Returns the instructions, the allocations, and the look-ups in a profile."""
    instructions = waiting = allocations = lookups = 0
    names = {}
    caller = callee = ""
    is_call = False
    with open(profile) as lines:
        for line in lines:
            if line.startswith(("fn=", "cfn=")):
                number, _, name = line.split("=", 1)[1].strip().partition(" ")
                if name:
                    names[number] = name
                # The name of a recursive call ends with an apostrophe and a number.
                name = names[number].split("'")[0]
                if line.startswith("fn="):
                    caller = name
                else:
                    callee = name
            elif line.startswith("calls="):
                # The next line is the cost of the callee.
                is_call = True
                calls = int(line[6:].split()[0])
                # An aligned allocation can call `malloc`, and is counted once.
                if callee in ALLOCATE and "memalign" not in caller and caller != POOL:
                    allocations += calls
                elif LOOK_UP.match(callee) and not LOOK_UP.match(caller):
                    lookups += calls
            elif line.startswith(("summary:", "totals:")):
                instructions = int(line.split(":")[1].split()[0])
            elif COST.match(line):
                if not is_call and WAIT.match(caller):
                    waiting += int(line.split()[-1])
                is_call = False
    return instructions - waiting, allocations, lookups
