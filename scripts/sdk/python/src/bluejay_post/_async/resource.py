"""What all resources share."""

from .transport import AsyncTransport


class AsyncResource:
    """A group of operations."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
