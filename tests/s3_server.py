"""An S3 server for tests: moto in a process of its own on loopback, behind a gate that can be in trouble.

Whoever speaks to the gate speaks to moto, unless the test has the gate refuse, break off in the middle of
what is sent, or do what is asked and keep the answer to itself.
"""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

__all__ = ["BUCKET", "KEY_ID", "SECRET", "Fate", "Gate", "serving_s3"]

BUCKET = "bucket"
KEY_ID = "AKIATESTTESTTEST0001"
SECRET = "not-for-any-file/0123456789abcdef"

Fate = Literal["through", "busy", "refused", "cut", "mute"]
"""busy: 503. refused: 403, with the key in the message. cut: half of what is sent goes on, and the connection
ends. mute: it is done, and the connection ends without an answer."""

_MOTO = """
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
"""
_ERROR = (
    '<?xml version="1.0"?><Error><Code>{code}</Code><Message>for {secret}, ask http://me:{secret}@host/</Message>'
    "</Error>"
)


class Gate(ThreadingHTTPServer):
    """Serves from a thread; what becomes of a request is `fate(method, path)`."""

    daemon_threads = True

    def __init__(self, behind: int) -> None:
        self.behind = behind
        self.fate: Callable[[str, str], Fate] = lambda method, path: "through"
        self.asked: list[tuple[str, str]] = []
        """Method and path of every request, in the order in which they came."""
        super().__init__(("127.0.0.1", 0), _Request)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed is no news."""


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Gate

    def do_GET(self) -> None:
        gate = self.server
        length = int(self.headers.get("content-length") or 0)
        gate.asked.append((self.command, self.path))
        fate = gate.fate(self.command, self.path)
        if fate == "cut":
            self._forward(self.rfile.read(length // 2), length)
            self.close_connection = True
            return
        body = self.rfile.read(length)
        if fate in ("busy", "refused"):
            status, code = (503, "SlowDown") if fate == "busy" else (403, "AccessDenied")
            self._answer(status, {}, _ERROR.format(code=code, secret=SECRET).encode())
            return
        status, headers, content = self._forward(body, length)
        if fate == "mute":
            self.close_connection = True
            return
        self._answer(status, headers, content)

    def __getattr__(self, name: str) -> object:
        if name in ("do_DELETE", "do_HEAD", "do_POST", "do_PUT"):
            return self.do_GET
        raise AttributeError(name)

    def _forward(self, body: bytes, length: int) -> tuple[int, dict[str, str], bytes]:
        onward = http.client.HTTPConnection("127.0.0.1", self.server.behind, timeout=30)
        try:
            onward.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                onward.putheader(name, value)
            onward.endheaders()
            onward.send(body)
            if len(body) < length:
                return 0, {}, b""
            answer = onward.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            onward.close()

    def _answer(self, status: int, headers: dict[str, str], content: bytes) -> None:
        self.send_response(status)
        kept = {name: value for name, value in headers.items() if name.lower() not in _OURS}
        # What a HEAD tells of is not sent.
        length = next((v for n, v in headers.items() if n.lower() == "content-length"), str(len(content)))
        for name, value in {**kept, "Content-Length": length}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing is printed."""


_OURS = {"content-length", "transfer-encoding", "connection", "server", "date"}


@contextmanager
def serving_s3() -> Iterator[Gate]:
    """A server with an empty bucket, and the environment that leads to it."""
    moto = subprocess.Popen(
        [sys.executable, "-c", _MOTO],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert moto.stdin and moto.stdout
    before = dict(os.environ)
    try:
        port = int(moto.stdout.readline())
        with Gate(port) as gate:
            threading.Thread(target=gate.serve_forever, daemon=True).start()
            os.environ |= {
                "AWS_ENDPOINT_URL": gate.url,
                "AWS_ACCESS_KEY_ID": KEY_ID,
                "AWS_SECRET_ACCESS_KEY": SECRET,
                "AWS_DEFAULT_REGION": "us-east-1",
                "AWS_EC2_METADATA_DISABLED": "true",
                "AWS_CONFIG_FILE": os.devnull,
                "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            }
            making = http.client.HTTPConnection("127.0.0.1", port)
            making.request(
                "PUT", f"/{BUCKET}", headers={"Authorization": "AWS4-HMAC-SHA256 Credential=a/b/us-east-1/s3"}
            )
            assert making.getresponse().status == 200
            making.close()
            yield gate
            gate.shutdown()
    finally:
        os.environ.clear()
        os.environ.update(before)
        moto.stdin.close()
        moto.stdout.close()
        moto.kill()
        moto.wait()
