"""A listener on the connection between two programs."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Listener:
    """A port that forwards everything to another one, in both directions, and records it."""

    def __init__(self, port: int) -> None:
        self.recorded = bytearray()
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept, port)

    def close(self) -> None:
        """Close all connections."""
        self._server.shutdown(socket.SHUT_RDWR)
        for each in self._sockets:
            _hang_up(each)
        for thread in self._threads:
            thread.join()
        for each in (self._server, *self._sockets):
            each.close()

    def _start(self, work, *arguments) -> None:
        self._threads.append(threading.Thread(target=work, args=arguments))
        self._threads[-1].start()

    def _accept(self, port: int) -> None:
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", port))
            self._sockets += [near, far]
            self._start(self._pass_on, near, far)
            self._start(self._pass_on, far, near)

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                self.recorded += data
                target.sendall(data)
        _hang_up(target)


def _hang_up(each: socket.socket) -> None:
    with suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
