"""A site on this machine that serves files as the Hub, GitHub and plain servers do, or fails to."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

REVISION = "0123456789abcdef0123456789abcdef01234567"
REPO = "owner/set"


def blob_of(data: bytes) -> str:
    """Git's checksum of a file."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


@dataclass
class Site:
    """Serves `files` by path; everything it is asked is in `asked`."""

    files: dict[str, bytes]
    revision: str = REVISION
    large: set[str] = field(default_factory=set)
    """Files in Git LFS, of which the Hub tells the SHA-256."""
    told: dict[str, bytes] = field(default_factory=dict)
    """Content that the listing describes, where it is not what is served."""
    gated: bool = False
    refuses: tuple[int, str] = (0, "")
    """Status and code of the Hub for every request; (0, "") for none."""
    gone: bool = False
    """Whether the recorded commit is no more: the Hub and GitHub know another alone."""
    down: set[str] = field(default_factory=set)
    """Paths that get an HTTP 500."""
    cut: dict[str, int] = field(default_factory=dict)
    """Path to bytes after which the connection is closed, once."""
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    """Method, path and Range of every request."""

    def __enter__(self) -> Site:
        site = self

        class Handler(_Handler):
            pass

        Handler.site = site
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def gets(self, ending: str) -> list[str]:
        """The Range of each GET of a path with that ending."""
        return [asked for method, path, asked in self.asked if method == "GET" and path.endswith(ending)]

    def listing(self) -> list[dict[str, Any]]:
        return [self._entry(name, self.told.get(name, data)) for name, data in self.files.items()]

    def _entry(self, name: str, data: bytes) -> dict[str, Any]:
        sha = hashlib.sha256(data).hexdigest()
        lfs = (
            {"oid": sha, "sha256": sha, "size": len(data), "pointerSize": 134} if name in self.large else None
        )
        entry = {"type": "file", "path": name, "rfilename": name, "oid": blob_of(data), "size": len(data)}
        return {**entry, "blobId": entry["oid"], **({"lfs": lfs} if lfs else {})}


class _Handler(BaseHTTPRequestHandler):
    site: Site
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self._serve()

    def do_GET(self) -> None:
        self._serve()

    def _serve(self) -> None:
        site, path = self.site, unquote(urlsplit(self.path).path)
        site.asked.append((self.command, path, self.headers.get("Range", "")))
        if site.gated:
            self._send(403, b"{}", {"X-Error-Code": "GatedRepo", "X-Error-Message": "Access is restricted"})
        elif site.refuses[0]:
            status, code = site.refuses
            self._send(status, b"{}", {"X-Error-Code": code} if code else {})
        elif site.gone and site.revision in path:
            self._send(404, b"{}", {"X-Error-Code": "RevisionNotFound", "X-Error-Message": "Invalid rev id"})
        elif path in site.down:
            self._send(500, b"{}", {})
        elif path == f"/repos/{REPO}/commits/HEAD":
            self._send(200, site.revision.encode(), {})
        elif path.startswith(f"/repos/{REPO}/git/trees/"):
            tree = [
                {"path": e["path"], "type": "blob", "sha": e["oid"], "size": e["size"]}
                for e in site.listing()
            ]
            self._send(200, json.dumps({"tree": tree}).encode(), {})
        elif path.startswith(f"/api/datasets/{REPO}/tree/"):
            self._send(200, json.dumps(site.listing()).encode(), {})
        elif path.startswith(f"/api/datasets/{REPO}"):
            info = {"_id": "1", "id": REPO, "sha": site.revision, "siblings": site.listing()}
            self._send(200, json.dumps(info).encode(), {"Content-Type": "application/json"})
        else:
            self._file(path)

    def _file(self, path: str) -> None:
        site = self.site
        at = f"{site.revision}/"
        name = path.partition(at)[2] if at in path else path.lstrip("/")
        data = site.files.get(f"media/{name}") if path.startswith("/media/") else site.files.get(name)
        if data is None:
            self._send(404, b"{}", {"X-Error-Code": "EntryNotFound"})
            return
        headers = {"ETag": f'"{hashlib.sha256(data).hexdigest()}"', "X-Repo-Commit": site.revision}
        start = int(asked.removeprefix("bytes=").rstrip("-")) if (asked := self.headers.get("Range")) else 0
        status = 206 if asked else 200
        if asked:
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        end = site.cut.pop(path, None) if self.command == "GET" else None
        self._send(status, data[start:], headers, end)

    def _send(self, status: int, data: bytes, headers: dict[str, str], end: int | None = None) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data[:end])
        if end is not None:
            self.wfile.flush()
            self.close_connection = True
