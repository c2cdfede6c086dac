"""Runs commands with the Python SDK for the tests. Reads one as JSON per line, and prints its lines and its result."""

import contextlib
import json
import os
import sys
import threading
import traceback

import calls
import clients
import scripted

COMMANDS = {name: getattr(module, name) for module in (calls, scripted) for name in module.COMMANDS}
out = sys.stdout
lock = threading.Lock()
# Commands with a lower number have been stopped. They end at their next line.
first_running = 0


class Stopped(Exception):
    """Ends a command that has been stopped."""


def say(**answer):
    with lock:
        print(json.dumps(answer, default=repr), file=out, flush=True)


def execute(_client, given, emit):
    """Runs a program. Each of its lines is one of the command."""
    os.environ.update(given["environment"])
    text = compile(given["text"], "program.py", "exec")
    exec(text, {"__name__": "__main__", "print": lambda *words: emit(" ".join(map(str, words)))})


def run(number, command, client, given):
    def emit(line):
        if number < first_running:
            raise Stopped
        say(number=number, line=line)

    try:
        say(number=number, result={**COMMANDS, "execute": execute}[command](clients.of(client), given, emit))
    except Stopped:
        say(number=number, result=None)
    except BaseException:
        say(number=number, error=traceback.format_exc())


# Only answers go to the tests.
with contextlib.redirect_stdout(sys.stderr):
    for read in sys.stdin:
        asked = json.loads(read)
        if asked["command"] == "stop":
            first_running = asked["number"]
        else:
            threading.Thread(target=run, kwargs=asked, daemon=True).start()
