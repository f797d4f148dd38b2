"""Stands in for `vllm` and `python -m sglang.launch_server`: takes their command line, does what it is told.

Speaks OpenAI's chat interface, answers "A", and notes beside its weights who it is. The weights' name is a
path, whose folder holds the notes; `--act` says what goes wrong:

    slow N      answers its health check after N seconds, with 503 until then
    oom         prints what vLLM prints when the GPU's memory is not enough, and ends with 1
    silent      listens, but never answers
    hang        is well, but never answers a question
    crash N     ends with a signal at its question number N; with `once`, only at the very first start
    child       has a child of its own group
    stubborn    does not end when it is asked to
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

VERSION = "9.8.7"
OOM = (
    "INFO 01-01 00:00:00 [core.py:58] Initializing a V1 LLM engine",
    "(EngineCore pid=7) ERROR 01-01 00:00:00 [core.py:390] torch.OutOfMemoryError: CUDA out of memory. "
    "Tried to allocate 250.00 MiB. GPU 0 has a total capacity of 15.89 GiB of which 195.50 MiB is free.",
    "(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above.",
)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--version", action="store_true")
    if Path(sys.argv[0]).name == "launch_server.py":
        options.add_argument("--model-path", dest="weights", required=True)
    elif sys.argv[1:2] == ["--version"]:
        print(f"INFO 01-01 00:00:00 [__init__.py:239] Automatically detected platform cuda.\n{VERSION}")
        return
    else:
        options.add_argument("serve", choices=["serve"])
        options.add_argument("weights")
    options.add_argument("--host", required=True)
    options.add_argument("--port", type=int, required=True)
    for taken in ("--max-model-len", "--tensor-parallel-size", "--tp-size"):
        options.add_argument(taken)
    options.add_argument("--act", action="append", nargs="+", default=[])
    given = options.parse_args()
    acts = {name: rest for name, *rest in given.act}
    notes = Path(given.weights).parent
    number = len(list(notes.glob("start-*.json")))
    print("the key is", os.environ.get("HF_TOKEN"), flush=True)
    child = None
    if "child" in acts:
        sleeper = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
        child = subprocess.Popen([sys.executable, "-c", sleeper], start_new_session=True).pid
    if "stubborn" in acts:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    note = {
        "pid": os.getpid(), "child": child, "argv": sys.argv[1:], "port": given.port,
        "gpus": os.environ.get("CUDA_VISIBLE_DEVICES"),
        "keys": [name for name in os.environ if name.endswith("_API_KEY")],
    }  # fmt: skip
    part = notes / f"start-{os.getpid()}.part"
    part.write_text(json.dumps(note))
    part.rename(notes / f"start-{number}-{os.getpid()}.json")
    if "oom" in acts:
        print("\n".join(OOM), file=sys.stderr, flush=True)
        sys.exit(1)
    serve(given, acts, notes, number)


def serve(given: argparse.Namespace, acts: dict[str, list[str]], notes: Path, number: int) -> None:
    ready_at = time.monotonic() + float(acts.get("slow", ["0"])[0])
    crash_at = int(acts["crash"][0]) if "crash" in acts and ("once" not in acts or not number) else 0
    asked: list[str] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if "silent" in acts:
                time.sleep(600)
            served = {"object": "list", "data": [{"id": given.weights, "owned_by": "stand-in"}]}
            self.reply(
                served if self.path == "/v1/models" else {}, 200 if time.monotonic() > ready_at else 503
            )

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            with lock:
                asked.append(self.headers.get("authorization", ""))
                with (notes / f"asked-{os.getpid()}").open("a") as note:
                    note.write(f"{asked[-1]}\n")
                if len(asked) == crash_at:
                    print("Fatal Python error: Segmentation fault", file=sys.stderr, flush=True)
                    os.kill(os.getpid(), signal.SIGKILL if "killed" in acts else signal.SIGSEGV)
            time.sleep(600 if "hang" in acts else 0.05)
            message = {"role": "assistant", "content": "A"}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            self.reply({"id": "1", "model": json.loads(body)["model"], "choices": [choice]})

        def reply(self, body: object, status: int = 200) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer((given.host, given.port), Handler) as server:
        server.serve_forever()


if __name__ == "__main__":
    main()
