"""Runs a program on a terminal of its own, types when it asks, and reports what the terminal showed.

The only argument is JSON: `command`, `environment`, `columns`, and `steps`, a list of [pattern, text]. Each text is typed
once the output since the previous step matches its pattern; a text such as "SIGTERM" is sent as a signal instead. The
result is printed as JSON: `output`, `code` (negative for a signal) and whether the terminal has its modes back.
"""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

ROWS = 24
# Ends a program that shows nothing more.
SILENCE_S = 120


def open_terminal(columns):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))
    return ours, theirs


def start(command, environment, theirs):
    pid = os.fork()
    if pid != 0:
        return pid
    os.setsid()
    fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
    for descriptor in range(3):
        os.dup2(theirs, descriptor)
    os.closerange(3, 256)
    os.execvpe(command[0], command, environment)


def read_available(ours, wait_s):
    readable, _, _ = select.select([ours], [], [], wait_s)
    return os.read(ours, 65536) if readable else b""


def act(ours, pid, text):
    if text.startswith("SIG"):
        os.kill(pid, getattr(signal, text))
    else:
        os.write(ours, text.encode())


def run(ours, pid, steps):
    shown, since = b"", 0
    end = time.monotonic() + SILENCE_S
    while time.monotonic() < end:
        if read := read_available(ours, 0.02):
            shown += read
            end = time.monotonic() + SILENCE_S
        if steps and re.search(steps[0][0], shown[since:].decode(errors="replace")):
            since = len(shown)
            act(ours, pid, steps.pop(0)[1])
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            while rest := read_available(ours, 0):
                shown += rest
            return shown, os.waitstatus_to_exitcode(status)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return shown, "late"


def main():
    asked = json.loads(sys.argv[1])
    ours, theirs = open_terminal(asked["columns"])
    before = termios.tcgetattr(theirs)
    pid = start(asked["command"], asked["environment"], theirs)
    shown, code = run(ours, pid, asked["steps"])
    restored = termios.tcgetattr(theirs) == before
    print(json.dumps({"output": shown.decode(errors="replace"), "code": code, "isRestored": restored}))


main()
