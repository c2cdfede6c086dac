"""Servers that are too slow."""

import socket
import threading

held = []


def open_slow_servers(ended, limit):
    """Starts them, until `ended` is set. Returns the URLs of those that do not connect, answer, and end an answer."""

    def silent(connection):
        connection.recv(65_536)
        ended.wait()

    def dripping(connection):
        """Sends a byte of an endless answer often enough for each read."""
        connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n")
        try:
            while not ended.wait(limit / 10):
                connection.sendall(b" ")
        except OSError:
            return

    return {"connect": open_full_server(), "read": listen(silent), "whole": listen(dripping)}


def listen(serve):
    """Starts a server that treats each connection by `serve`. Returns its URL."""
    server = socket.create_server(("127.0.0.1", 0))

    def accept():
        while True:
            threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return f"http://127.0.0.1:{server.getsockname()[1]}"


def open_full_server():
    """Returns the URL of a server whose queue is full, so that the system ignores further connections."""
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen(0)
    held.append(server)
    for _ in range(3):
        client = socket.socket()
        client.setblocking(False)
        client.connect_ex(server.getsockname())
        held.append(client)
    return f"http://127.0.0.1:{server.getsockname()[1]}"
