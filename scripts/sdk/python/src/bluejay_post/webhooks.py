"""Verification of webhook deliveries."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from ._time_fields import EVENTS
from ._times import read_times
from .errors import WebhookVerificationError

if TYPE_CHECKING:
    from . import types

WebhookEvent: TypeAlias = (
    "types.MailQueuedEvent | types.MailPrintedEvent | types.MailPostedEvent | types.MailDeliveredEvent | "
    "types.MailFailedEvent | types.ItemReturnedEvent | types.BulkCompletedEvent"
)
"""The body of a delivery, with its times as `datetime`. `event` tells the kinds apart. More kinds may be added."""

_SIGNATURE_HEADER = "x-service-signature"


def verify_webhook(
    raw_body: bytes | str,
    headers: Mapping[str, str] | str | None,
    secret: str,
    *,
    tolerance_s: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """
    Checks the signature of a delivery in constant time and returns its event, with its times as `datetime`. `raw_body`
    is the body as it arrived, not parsed; `headers` are all headers or the value of `X-Service-Signature`. Any of
    several `v1=` values may fit, because a rotated secret signs beside the new one for a while. Raises a
    `WebhookVerificationError` whose code is `INVALID_SIGNATURE` or `TOO_OLD`.
    """
    if not secret:
        raise ValueError("Give the secret of the webhook.")
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    parts = _signature_of(headers).split(",")
    sent_at = next((part[2:] for part in parts if part.startswith("t=")), "")
    expected = hmac.new(secret.encode(), sent_at.encode() + b"." + body, hashlib.sha256).hexdigest()
    given = [part[3:] for part in parts if re.fullmatch(r"v1=[0-9a-f]{64}", part)]
    # All are compared, so that the time does not tell which one fits.
    fits = [hmac.compare_digest(signature, expected) for signature in given]
    if re.fullmatch(r"[0-9]{1,12}", sent_at) is None or not any(fits):
        raise _refuse("INVALID_SIGNATURE", "The signature of the delivery does not fit its body.")
    if (time.time() if now is None else now) - int(sent_at) > tolerance_s:
        raise _refuse("TOO_OLD", f"The delivery is older than {tolerance_s} s.")
    event: WebhookEvent = read_times(json.loads(body), EVENTS)
    return event


def _signature_of(headers: Mapping[str, str] | str | None) -> str:
    if headers is None or isinstance(headers, str):
        return headers or ""
    return next((value for name, value in headers.items() if name.lower() == _SIGNATURE_HEADER), "")


def _refuse(code: str, message: str) -> WebhookVerificationError:
    return WebhookVerificationError(message, code=code, status=401)
