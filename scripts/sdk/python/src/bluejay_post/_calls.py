"""Requests of operations, and which of them may be sent again."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from ._routes import ROUTES
from ._time_fields import ANSWERS
from ._times import read_times, write_time
from .errors import BluejayError, ConnectionFailedError

VERSION = "0.1.0"
_OWN_HEADERS = ("authorization", "content-type", "idempotency-key", "user-agent")
_USER_AGENT = f"bluejay-post-python/{VERSION}"
_FIRST_DELAY = 0.5
_MAX_DELAY = 8.0
# A longer Retry-After is not waited for: the error is raised, with its retry_after.
_MAX_RETRY_AFTER = 60.0
_TEMPORARY = (429, 502, 503, 504)

# Requests that may run twice: they read, compute, set fields, or prepare an upload that nobody has to use. A POST that
# is not listed runs again only with an externalId or an Idempotency-Key.
_REPEATABLE = frozenset(
    {
        "createQuote",
        "createUpload",
        "createBulkUpload",
        "createPreflight",
        "previewTemplate",
        "changeMail",
        "changeAddress",
        "changeWebhook",
    }
)


@dataclass(frozen=True)
class Call:
    """An operation with its parameters. `path` has the values of the placeholders in their order."""

    id: str
    path: tuple[str, ...] = ()
    query: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None
    idempotency_key: str | None = None

    @property
    def method(self) -> str:
        return ROUTES[self.id][0]

    @property
    def is_repeatable(self) -> bool:
        """Whether the request may be sent again when its answer was lost."""
        is_keyed = self.idempotency_key is not None or isinstance((self.body or {}).get("externalId"), str)
        return self.method in ("GET", "DELETE") or is_keyed or self.id in _REPEATABLE

    def target(self) -> str:
        """Returns path and query. Raises a ValueError for an empty value: its request would go to another route."""
        parts = ROUTES[self.id][1].split("/")
        values = iter(self.path)
        filled = [_segment(next(values, "")) if part.startswith("{") else part for part in parts]
        query = urlencode(_flatten(self.query or {}))
        return "/".join(filled) + (f"?{query}" if query else "")

    def headers(self, token: str, more: Mapping[str, str]) -> dict[str, str]:
        headers = {"authorization": f"Bearer {token}", "user-agent": _USER_AGENT, **more}
        if self.body is not None:
            headers["content-type"] = "application/json"
        if self.idempotency_key is not None:
            headers["idempotency-key"] = self.idempotency_key
        return headers

    def content(self) -> bytes | None:
        return None if self.body is None else json.dumps(self.body, default=write_time).encode()

    def read(self, answer: Any) -> Any:
        """Returns an answer with its times as `datetime`."""
        return read_times(answer, ANSWERS.get(self.id, {}))


def delay_before_retry(error: BaseException, *, tries: int, may_repeat: bool) -> float | None:
    """
    Returns how long to wait before the next attempt in seconds: what `Retry-After` says, and a random time of at most
    0.5 s, doubled with each attempt up to 8 s ("full jitter"), so that clients told the same time do not come at once.
    Returns None when another attempt cannot help or is not safe.
    """
    if not isinstance(error, BluejayError):
        return None
    if not isinstance(error, ConnectionFailedError) and error.status not in _TEMPORARY:
        return None
    # Only a new tariff helps.
    if error.code == "PRICING_UNAVAILABLE":
        return None
    # A request beyond the rate limit was not processed, so every request may be repeated after a 429.
    if not may_repeat and error.status != 429:
        return None
    jitter = random.random() * min(_MAX_DELAY, _FIRST_DELAY * 2 ** min(tries, 10))
    told = error.retry_after or 0.0
    return None if told > _MAX_RETRY_AFTER else told + jitter


def _segment(value: str) -> str:
    if not isinstance(value, str) or value == "":
        raise ValueError("An id must be a text that is not empty.")
    return quote(value, safe="")


def _flatten(query: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Leaves absent values out, and writes a nested mapping as `name[key]=value`, as the API reads `metadata`."""
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if isinstance(value, Mapping):
            pairs.extend((f"{name}[{key}]", str(inner)) for key, inner in value.items())
        elif value is not None:
            pairs.append((name, str(value).lower() if isinstance(value, bool) else _write_value(value)))
    return pairs


def _write_value(value: Any) -> str:
    return write_time(value) if isinstance(value, datetime) else str(value)


def check_headers(headers: Mapping[str, str]) -> None:
    """Raises a ValueError for a header that the client sets itself."""
    for name in headers:
        if name.lower() in _OWN_HEADERS:
            raise ValueError(f"The client sets the header {name} itself.")
