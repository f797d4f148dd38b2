# Runs inside the sandbox, started as text by the interpreter: nothing of Gumption is imported here.
# Standard input is one JSON object; each result is one line of JSON on the result pipe.


def run() -> None:
    import errno
    import json
    import os
    import resource
    import sys
    import traceback

    job = json.loads(sys.stdin.buffer.read())
    for name, limit in job["limits"]:
        resource.setrlimit(getattr(resource, name), (limit, limit))
    sys.path[:0] = job["path"]
    me = os.getpid()
    results = os.fdopen(job["results"], "wb", buffering=0)

    def tell(kind: str, value: object) -> None:
        line = json.dumps([kind, value], allow_nan=False).encode() + b"\n"
        while line:
            line = line[results.write(line) :]

    def kind_of(error: BaseException) -> str:
        if isinstance(error, MemoryError):
            return "memory"
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
            return "disk"
        no_more = isinstance(error, OSError) and error.errno == errno.EAGAIN
        if no_more or (isinstance(error, RuntimeError) and "start new thread" in str(error)):
            return "processes"
        return "crash"

    def in_words(error: BaseException) -> str:
        # What the code raises may lie about itself, or leave no memory to say anything.
        try:
            return "".join(traceback.format_exception(error)[-12:])[-2000:]
        except Exception:
            return type(error).__name__

    try:
        space: dict[str, object] = {"__name__": "pipeline"}
        exec(compile(job["code"], "pipeline.py", "exec", dont_inherit=True), space)
        main = space.get("main")
        if not callable(main):
            tell("crash", "the code defines no function main")
            return
        for value in job["inputs"]:
            result = main(value)
            if os.getpid() != me:
                os._exit(0)  # a child that the code made: its parent goes on
            try:
                tell("result", result)
            except (TypeError, ValueError, RecursionError) as error:
                tell("bad_result", str(error)[:500])
                return
        tell("done", len(job["inputs"]))
    except BaseException as error:
        if os.getpid() != me:
            os._exit(1)
        tell(kind_of(error), in_words(error))


run()
