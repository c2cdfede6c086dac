"""Calls servers that are too slow, with both clients, and prints the errors and how long they took in seconds."""

import asyncio
import json
import socket
import threading
import time

from bluejay import AsyncBluejay, Bluejay, ConnectionFailedError

TIMEOUT = 0.3
ended = threading.Event()


def listen(serve):
    """Starts a server that treats each connection by `serve`. Returns its URL."""
    server = socket.create_server(("127.0.0.1", 0))

    def accept():
        while True:
            threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return f"http://127.0.0.1:{server.getsockname()[1]}"


def silent(connection):
    connection.recv(65_536)
    ended.wait()


def dripping(connection):
    """Sends a byte of an endless answer often enough for each read."""
    connection.recv(65_536)
    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n")
    try:
        while not ended.wait(TIMEOUT / 10):
            connection.sendall(b" ")
    except OSError:
        return


def unreachable():
    """Returns the URL of a server whose queue is full, so that the system ignores further connections."""
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen(0)
    held = [server]
    for _ in range(3):
        client = socket.socket()
        client.setblocking(False)
        client.connect_ex(server.getsockname())
        held.append(client)
    return f"http://127.0.0.1:{server.getsockname()[1]}", held


full, held = unreachable()
urls = {"connect": full, "read": listen(silent), "whole": listen(dripping)}


def describe(error, started):
    return {"code": error.code, "cause": type(error.__cause__).__name__, "took": time.monotonic() - started}


def ask(url):
    started = time.monotonic()
    with Bluejay("bjk_1", url, timeout=TIMEOUT, max_retries=0) as bluejay:
        try:
            bluejay.wallet.get()
        except ConnectionFailedError as error:
            return describe(error, started)


async def ask_async(url):
    started = time.monotonic()
    async with AsyncBluejay("bjk_1", url, timeout=TIMEOUT, max_retries=0) as bluejay:
        try:
            await bluejay.wallet.get()
        except ConnectionFailedError as error:
            return describe(error, started)


found = {
    "sync": {name: ask(url) for name, url in urls.items()},
    "async": {name: asyncio.run(ask_async(url)) for name, url in urls.items()},
}
ended.set()
print(json.dumps(found))
