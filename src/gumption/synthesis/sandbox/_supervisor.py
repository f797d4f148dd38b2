# The first process of the Landlock mechanism, started as text by the interpreter: nothing of Gumption is
# imported here. It makes the process that will run the code, takes everything from it that it can be done
# without, and ends all that is left when that process ends or when the caller is gone.
# Arguments: one JSON object.


def supervise() -> None:
    import ctypes
    import json
    import os
    import select
    import signal
    import struct
    import sys

    told = json.loads(sys.argv[1])
    libc = ctypes.CDLL(None, use_errno=True)

    def must(result: int, what: str) -> None:
        if result < 0:
            raise OSError(ctypes.get_errno(), what)

    def prctl(option: int, value: int, third: int = 0) -> None:
        must(
            libc.prctl(ctypes.c_int(option), ctypes.c_ulong(value), ctypes.c_void_p(third), 0, 0),
            f"prctl {option}",
        )

    def restrict() -> None:
        uid = told["uid"]
        if uid is not None:
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            prctl(8, 1)  # PR_SET_KEEPCAPS
            for capability in range(64):
                if libc.prctl(24, ctypes.c_ulong(capability), 0, 0, 0) < 0:  # PR_CAPBSET_DROP
                    break
            os.setresuid(uid, uid, uid)
            # An interpreter under a home of mode 0700 is read by this one capability, and by the rules
            # below nothing else is.
            kept = 1 << 2 if told["closed_home"] else 0  # CAP_DAC_READ_SEARCH
            header = struct.pack("Ii", 0x20080522, 0)
            data = struct.pack("IIIIII", kept, kept, 0, 0, 0, 0)
            must(libc.capset(header, data), "capset")
        prctl(38, 1)  # PR_SET_NO_NEW_PRIVS
        must(libc.syscall(446, told["ruleset"], 0), "landlock_restrict_self")
        program = os.read(told["filter"], 2**20)
        buffer = ctypes.create_string_buffer(program, len(program))
        head = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
        pointer = ctypes.create_string_buffer(head, len(head))
        prctl(22, 2, ctypes.addressof(pointer))  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER

    prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: what the code leaves behind becomes ours
    child = os.fork()
    if not child:
        os.chdir(told["folder"])
        os.close(told["alive"])
        restrict()
        os.close(told["ruleset"])
        os.close(told["filter"])
        for module in ("ctypes", "_ctypes", "select", "struct"):
            sys.modules.pop(module, None)
        exec(compile(told["inside"], "inside", "exec"), {"__name__": "inside"})
        sys.stdout.flush()
        os._exit(0)
    for one in (0, 1, 2, told["results"], told["ruleset"], told["filter"]):
        os.close(one)
    pidfd = os.pidfd_open(child)
    select.select([pidfd, told["alive"]], [], [])
    ended = select.select([pidfd], [], [], 0)[0]
    status = os.waitpid(child, 0)[1] if ended else 9
    while True:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            left = file.read().split()
        for pid in left:
            os.kill(int(pid), signal.SIGKILL)
        try:
            # One at a time: whom a dead process leaves behind becomes ours only then, and lives.
            os.waitpid(-1, 0 if left else os.WNOHANG)
        except ChildProcessError:
            break
    os._exit(os.waitstatus_to_exitcode(status) & 127)


supervise()
