"""Sends requests to the API, with retries where they are safe."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import httpx

from .._calls import Call, delay_before_retry
from ..errors import (
    BluejayError,
    ConnectionFailedError,
    NotFoundError,
    ServerError,
    connection_error,
    read_answer,
)
from .concurrency import sleep

# The service sends a comment every 15 s. After three missing ones the connection counts as lost.
_SILENCE_S = 45.0

Credential: TypeAlias = "str | Callable[[], Awaitable[str]]"
"""A key, or a function that returns the current one, as `TokenSource.access_token` does."""


@dataclass(frozen=True)
class AsyncTransport:
    """Sends the requests of a client."""

    http: httpx.AsyncClient
    credential: Credential
    base_url: str
    max_retries: int
    timeout: float
    headers: Mapping[str, str] = field(default_factory=dict)
    """Further headers of each request."""

    async def send(self, call: Call) -> Any:
        """
        Sends a request and returns its answer: JSON with times as `datetime`, or the text of a CSV. Raises a
        `BluejayError`.
        """
        has_lost_answer = False

        async def send_once() -> Any:
            nonlocal has_lost_answer
            try:
                return call.read(read_answer(*await self._request(call)))
            except ConnectionFailedError:
                has_lost_answer = True
                raise
            except NotFoundError:
                # The first attempt deleted it, and its answer was lost.
                if not has_lost_answer or call.method != "DELETE":
                    raise
                return {"id": call.path[0], "deleted": True}

        return await self.retry(send_once, may_repeat=call.is_repeatable)

    async def put(self, url: str, content: bytes, headers: Mapping[str, str]) -> None:
        """Puts a file at a presigned URL of the object store. A repeat replaces the file by itself."""

        async def put_once() -> None:
            try:
                response = await self.http.put(url, content=content, headers=dict(headers), timeout=self.timeout)
            except httpx.HTTPError as error:
                raise connection_error(error) from error
            if response.is_success:
                return
            status = response.status_code
            raised = ServerError if status >= 500 else BluejayError
            text = f"The object store answered {status}: {response.text[:300]}"
            raise raised(text, code="UPLOAD_FAILED", status=status)

        await self.retry(put_once, may_repeat=True)

    @asynccontextmanager
    async def open(self, call: Call) -> AsyncIterator[httpx.Response]:
        """Opens a stream without a limit of its duration. A silent one counts as lost. Raises a `BluejayError`."""
        url, headers = self.base_url + call.target(), call.headers(await self._token(), self.headers)
        timeout = httpx.Timeout(self.timeout, read=_SILENCE_S)
        try:
            async with self.http.stream(call.method, url, headers=headers, timeout=timeout) as response:
                if not response.is_success:
                    read_answer(response, await response.aread())
                yield response
        except httpx.HTTPError as error:
            raise connection_error(error) from error

    async def retry(self, send_once: Callable[[], Awaitable[Any]], *, may_repeat: bool) -> Any:
        """Repeats a request until it succeeds, fails for good, or has been sent `max_retries` times more."""
        tries = 0
        while True:
            try:
                return await send_once()
            except BluejayError as error:
                delay = delay_before_retry(error, tries=tries, may_repeat=may_repeat)
                if delay is None or tries >= self.max_retries:
                    raise
            await sleep(delay)
            tries += 1

    async def _request(self, call: Call) -> tuple[httpx.Response, bytes]:
        """Returns an answer and its body."""
        url, headers = self.base_url + call.target(), call.headers(await self._token(), self.headers)
        started = time.monotonic()
        chunks = []
        try:
            async with self.http.stream(
                call.method, url, headers=headers, content=call.content(), timeout=self.timeout
            ) as response:
                async for chunk in response.aiter_bytes():
                    chunks.append(chunk)
                    # httpx bounds each read, which a slow sender can repeat for hours.
                    if time.monotonic() - started > self.timeout:
                        raise httpx.ReadTimeout("The answer is not complete.")
        except httpx.HTTPError as error:
            raise connection_error(error) from error
        return response, b"".join(chunks)

    async def _token(self) -> str:
        if isinstance(self.credential, str):
            return self.credential
        return await self.credential()
