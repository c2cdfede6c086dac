"""Errors of the client. Decide by the class or by `code`; the message is for developers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx


class BluejayError(Exception):
    """Any failure of the API or of the way to it. As text it is its code, its message and its page."""

    message: str
    code: str
    """The code of the API, or `TIMEOUT`, `CONNECTION_ERROR`, `INVALID_ANSWER`. More codes may be added."""
    status: int | None
    """The HTTP status. None when there was no answer."""
    issues: Sequence[Any]
    """With `VALIDATION_ERROR`: all problems of the request, each with `path` and `message`."""
    docs_url: str | None
    """The page that explains the code. None when there was no answer."""
    request_id: str | None
    """Quote it when you contact support."""
    retry_after: float | None
    """What `Retry-After` said, in seconds."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        issues: Sequence[Any] = (),
        docs_url: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.issues = issues
        self.docs_url = docs_url
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        page = "" if self.docs_url is None else f" See {self.docs_url}"
        return f"{self.code}: {self.message}{page}"


class InvalidRequestError(BluejayError):
    """The request itself is wrong: 400, 405, 413, 415. A repeat has the same result."""


class AuthenticationError(BluejayError):
    """The API key or access token is missing or invalid: 401."""


class InsufficientFundsError(BluejayError):
    """The wallet cannot pay: 402."""


class PermissionDeniedError(BluejayError):
    """The credential lacks a scope or has the wrong mode: 403."""


class NotFoundError(BluejayError):
    """There is no such resource: 404."""


class ConflictError(BluejayError):
    """The state of the resource does not allow the request: 409."""


class RateLimitError(BluejayError):
    """Too many requests: 429."""


class ServerError(BluejayError):
    """The API failed or is temporarily unavailable: 5xx."""


class ConnectionFailedError(BluejayError):
    """There was no answer in time, or none at all. A letter may have been sent nevertheless."""


class WebhookVerificationError(BluejayError):
    """A webhook delivery is not genuine or too old. Answer it with 401 and do not process it."""


class OAuthError(BluejayError):
    """The answer of an OAuth route. `code` is the `error` of RFC 6749, for instance `invalid_grant`."""


_CLASSES: dict[int, type[BluejayError]] = {
    401: AuthenticationError,
    402: InsufficientFundsError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}


def read_answer(response: httpx.Response, content: bytes) -> Any:
    """Returns the JSON of an answer with this body, or the text of a CSV. Raises the error of an answer that is not 2xx."""
    is_json = "json" in response.headers.get("content-type", "")
    if response.is_success and not is_json:
        return content.decode()
    body = _parse(content)
    if not response.is_success:
        raise api_error(response, body)
    if body is None:
        raise BluejayError(
            f"The answer {response.status_code} is not valid JSON.", code="INVALID_ANSWER", status=response.status_code
        )
    return body


def api_error(response: httpx.Response, body: Any) -> BluejayError:
    """Creates the error of an answer from its status and body."""
    status = response.status_code
    fields = body if isinstance(body, dict) else {}
    default = ServerError if status >= 500 else InvalidRequestError
    issues, docs_url = fields.get("issues"), fields.get("docsUrl")
    return _CLASSES.get(status, default)(
        str(fields.get("message", f"The answer was {status} without an explanation.")),
        code=str(fields.get("code", f"HTTP_{status}")),
        status=status,
        issues=issues if isinstance(issues, list) else (),
        docs_url=docs_url if isinstance(docs_url, str) else None,
        request_id=response.headers.get("x-request-id"),
        retry_after=read_retry_after(response.headers.get("retry-after")),
    )


def read_oauth_answer(response: httpx.Response) -> Any:
    """Returns the JSON of an OAuth route, or None. Raises an `OAuthError`."""
    body = _parse(response.content)
    if response.is_success:
        return body
    status = response.status_code
    fields = body if isinstance(body, dict) else {}
    raise OAuthError(
        str(fields.get("error_description", f"The answer was {status} without an explanation.")),
        code=str(fields.get("error", f"HTTP_{status}")),
        status=status,
        request_id=response.headers.get("x-request-id"),
        retry_after=read_retry_after(response.headers.get("retry-after")),
    )


def connection_error(error: httpx.HTTPError) -> ConnectionFailedError:
    """Returns the error of a request without an answer."""
    is_late = isinstance(error, httpx.TimeoutException)
    text = "There was no answer in time." if is_late else f"The connection failed: {error}"
    return ConnectionFailedError(text, code="TIMEOUT" if is_late else "CONNECTION_ERROR")


def read_retry_after(value: str | None) -> float | None:
    """Returns the delay of a `Retry-After` header, seconds or an HTTP date. None when it is neither."""
    if value is None:
        return None
    if value.strip().isascii() and value.strip().isdigit():
        return float(value)
    try:
        at = parsedate_to_datetime(value)
        return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None


def _parse(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None
