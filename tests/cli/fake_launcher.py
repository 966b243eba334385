"""A launcher's HTTP API on a loopback socket that loses answers and cuts streams when told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from dispenser.journal import Record

TOKEN = "sixteen-letters-or-more"


class FakeLauncher:
    """Keeps a journal and answers as the API does; every stream and answer may be told to break."""

    def __init__(self) -> None:
        self.journal: list[Record] = []
        self.known: dict[str, Record] = {}
        self.outcome: dict[str, Any] | None = {"planned": 3, "delivered": 3, "cause": "complete"}
        self.refusal = ""  # of the next presses
        self.refusal_now: str | None = None  # what the snapshot says
        self.token = ""
        self.state = "ready"
        self.detail = ""
        self.lost_answers = 0
        self.cuts: list[int] = []  # after so many records the next streams break, in the middle of one more
        self.starts: list[str] = []  # Last-Event-ID of each stream
        self.presses: list[dict[str, Any]] = []
        self.instead: tuple[int, bytes] | None = None  # an answer that is no launcher's
        self.changed = threading.Condition()
        self.closing = False

    def note(self, type_: str, **data: Any) -> Record:
        with self.changed:
            time = f"2026-11-20T12:00:{len(self.journal):02}.000000Z"
            record = Record(len(self.journal) + 1, time, "launcher", type_, data)
            self.journal.append(record)
            self.changed.notify_all()
        return record

    def snapshot(self) -> dict[str, Any]:
        return {
            "seq": len(self.journal),
            "state": self.state,
            "detail": self.detail,
            "lid_open": self.state == "open",
            "exit_blocked": False,
            "cards_inside": 100,
            "dud_streak": 0,
            "presses": len(self.known),
            "simulated": True,
            "refusal": self.refusal_now,
            "odds": {"name": "toy"},
        }

    def press(self, command: dict[str, Any]) -> Record:
        self.presses.append(command)
        request = command["id"]
        if request not in self.known:
            number = len(self.known) + 1
            if self.refusal:
                self.known[request] = self.note("launcher.press.refused", press=number, reason=self.refusal)
            else:
                self.known[request] = self.note("launcher.press.accepted", press=number, cards=command.get("cards"))
                if self.outcome is not None:
                    defaults = {"suspected_doubles": 0, "sticking_out": False, "dud_streak": 0}
                    self.note("launcher.burst.ended", **{"press": number, **defaults, **self.outcome})
        return self.known[request]

    def act(self, act: str, command: dict[str, Any]) -> Record:
        request = command["id"]
        if request not in self.known:
            told = {key: value for key, value in command.items() if key != "id"}
            type_ = {"load": "launcher.cards.loaded", "count": "launcher.burst.counted"}[act]
            self.known[request] = self.note(type_, **told, request=request)
        return self.known[request]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def launcher(self) -> FakeLauncher:
        return self.server.launcher  # type: ignore[attr-defined, no-any-return]

    def log_message(self, *_: Any) -> None:
        return

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _json(self, status: int, **fields: Any) -> None:
        self._answer(status, json.dumps(fields).encode())

    def _strange(self) -> bool:
        if self.launcher.instead is not None:
            self._answer(*self.launcher.instead)
            return True
        if self.launcher.token and self.headers["Authorization"] != f"Bearer {self.launcher.token}":
            error = "wrong_token" if self.headers["Authorization"] else "token_needed"
            self._json(401, error=error, message="This launcher asks for its token.", remedy="Send it.")
            return True
        return False

    def do_POST(self) -> None:
        command = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self._strange():
            return
        if self.path == "/api/v1/reset":
            self._answer(
                200, self.launcher.note("launcher.reset", state=self.launcher.state, request=command["id"]).json()
            )
            return
        act = self.path.rpartition("/")[2]
        record = self.launcher.press(command) if act in {"press", "eject"} else self.launcher.act(act, command)
        if self.launcher.lost_answers:
            self.launcher.lost_answers -= 1
            self.close_connection = True
        elif record.type == "launcher.press.refused":
            words = {"message": "The lid is open: nothing can move.", "remedy": "Shut the lid."}
            self._json(409, error="press_refused", record=json.loads(record.json()), **words)
        else:
            self._answer(202, record.json())

    def do_GET(self) -> None:
        if self._strange():
            return
        if self.path == "/api/v1/snapshot":
            self._json(200, **self.launcher.snapshot())
        elif int(self.headers["Last-Event-ID"]) > len(self.launcher.journal):
            self._json(409, error="ahead_of_journal", message="The journal is not that long.", remedy="Begin anew.")
        else:
            self._stream(self.headers["Last-Event-ID"])

    def _stream(self, start: str) -> None:
        launcher = self.launcher
        with launcher.changed:
            launcher.starts.append(start)
            launcher.changed.notify_all()
        cut = launcher.cuts.pop(0) if launcher.cuts else None
        self.close_connection = True
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self._chunk(b"retry: 1000\n\n: ping\n\n")
        sent = int(start)
        while True:
            with launcher.changed:
                while cut != 0 and not launcher.closing and len(launcher.journal) <= sent:
                    launcher.changed.wait()
                if launcher.closing or len(launcher.journal) <= sent:
                    return
                record = launcher.journal[sent]
            frame = b"id: %d\nevent: %b\ndata: %b\n\n" % (record.seq, record.type.encode(), record.json())
            if cut == 0:
                self._chunk(frame[: len(frame) // 2])
                return
            sent += 1
            self._chunk(frame)
            cut = None if cut is None else cut - 1

    def _chunk(self, data: bytes) -> None:
        try:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        except OSError:  # the client has gone, as it may
            self.close_connection = True


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # so that no thread outlives its test


@contextmanager
def serving(launcher: FakeLauncher) -> Iterator[str]:
    """The launcher at a free port of this machine; gives its address."""
    launcher.closing = False
    server = _Server(("127.0.0.1", 0), _Handler)
    server.launcher = launcher  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        with launcher.changed:
            launcher.closing = True
            launcher.changed.notify_all()
        server.shutdown()
        server.server_close()
        thread.join()
