"""Inside the virtual Pi: runs what the tests outside ask for, one line of JSON a question, one an answer.

Questions: ``{"run": […], "stdin": "", "env": {}, "timeout_s": 60}``; ``{"start": […], "output": "/file", "env": {}}``
goes on by itself; ``{"write": "/file", "text": "", "mode": 420}``; ``{"read": "/file"}``; ``{"sleep_s": 0.2}``;
``{"http": "POST", "path": "/api/v1/press", "body": {}}`` asks the launcher's page.
"""

import json
import os
import pathlib
import select
import subprocess
import sys
import time

PORT = "agent"


def port(name):
    """The device of a line to the tests; udev may not be there yet.

    :returns: its file descriptor.
    """
    while True:
        for told in pathlib.Path("/sys/class/virtio-ports").glob("*/name"):
            if told.read_text().strip() == name:
                device = f"/dev/{told.parent.name}"
                return os.open(device, os.O_RDWR)
        time.sleep(0.05)


def lines(line):
    """What comes, line after line; while nobody is outside, a read tells so at once."""
    rest = b""
    wait = select.poll()
    wait.register(line, select.POLLIN)
    while True:
        wait.poll()
        got = os.read(line, 1 << 16)
        if not got:
            time.sleep(0.05)
        *whole, rest = (rest + got).split(b"\n")
        yield from whole


def send(line, message):
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(line, data) :]


def asked_page(method, path, body):
    import http.client  # once a page is asked; a boot does not wait for it

    connection = http.client.HTTPConnection("127.0.0.1", 8112, timeout=30)
    try:
        head = {"Content-Type": "application/json"} if body is not None else {}
        connection.request(method, path, None if body is None else json.dumps(body), head)
        told = connection.getresponse()
        return {"status": told.status, "body": told.read().decode()}
    finally:
        connection.close()


def answer(question):
    env = {"PATH": os.environ["PATH"], "HOME": "/root", "LANG": "C.UTF-8", **question.get("env", {})}
    if "run" in question:
        try:
            done = subprocess.run(
                question["run"],
                check=False,
                input=question.get("stdin", ""),
                env=env,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=question.get("timeout_s", 60),
            )
        except subprocess.TimeoutExpired as late:
            return {"code": None, "out": str(late.stdout or ""), "err": f"not done in {late.timeout} s: {late.stderr}"}
        return {"code": done.returncode, "out": done.stdout, "err": done.stderr}
    if "start" in question:
        with open(question["output"], "wb") as output:
            process = subprocess.Popen(
                question["start"],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        return {"pid": process.pid}
    if "sleep_s" in question:
        time.sleep(question["sleep_s"])
        return {}
    if "http" in question:
        return asked_page(question["http"], question["path"], question.get("body"))
    if "write" in question:
        path = pathlib.Path(question["write"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(question["text"])
        path.chmod(question.get("mode", 0o644))
        return {}
    return {"text": pathlib.Path(question["read"]).read_text(errors="replace")}


def main():
    line = port(PORT)
    send(line, {"hello": time.monotonic()})
    for question in lines(line):
        try:
            told = answer(json.loads(question))
        except Exception as error:  # it is the tests' business
            told = {"error": f"{type(error).__name__}: {error}"}
        send(line, told | {"at_s": time.monotonic()})


if __name__ == "__main__":
    sys.exit(main())
