"""Stand-ins for the programs that serve weights, put where they are looked for, and what they noted."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

TOKEN = "hf_not_for_any_log_0123456789"
"""In the environment of the servers, which print it."""
STAND_IN = Path(__file__).parent / "stand_in_server.py"


def install(folder: Path) -> dict[str, str]:
    """Environment in which `vllm` and `sglang` are the stand-in, both put into `folder`."""
    programs, packages = folder / "bin", folder / "packages"
    programs.mkdir()
    vllm = programs / "vllm"
    vllm.write_text(f"#!{sys.executable}\n{STAND_IN.read_text()}")
    vllm.chmod(0o755)
    (packages / "sglang").mkdir(parents=True)
    (packages / "sglang" / "__init__.py").touch()
    shutil.copy(STAND_IN, packages / "sglang" / "launch_server.py")
    about = packages / "sglang-9.8.7.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: sglang\nVersion: 9.8.7\n")
    return {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(packages),
        "HF_TOKEN": TOKEN,
        "VLLM_API_KEY": "with this a server would want it from us",
        "HTTP_PROXY": "http://127.0.0.1:9",
    }


def starts(folder: Path) -> list[dict[str, Any]]:
    """What each start of a stand-in noted; `asked` is the keys that it was sent, one a question."""
    found = []
    for path in sorted(folder.glob("start-*.json")):
        note = json.loads(path.read_text())
        asked = folder / f"asked-{note['pid']}"
        found.append({**note, "asked": asked.read_text().splitlines() if asked.exists() else []})
    return found


def gone(pid: int, within_s: float = 15.0) -> bool:
    """Whether the process ends, or is a body that only waits to be noticed."""
    until = time.monotonic() + within_s
    while True:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        if time.monotonic() >= until:
            return False
        time.sleep(0.05)
