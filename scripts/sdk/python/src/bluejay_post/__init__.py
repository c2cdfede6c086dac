"""Client of the Bluejay postal mailing API."""

from ._async.client import AsyncBluejay
from ._async.lists import AsyncList
from ._async.oauth import AsyncBluejayOAuth, AsyncTokenSource
from ._authorization import AuthorizationRequest, SavedTokens, saved_tokens
from ._calls import VERSION as __version__
from ._sync.client import Bluejay
from ._sync.lists import List
from ._sync.oauth import BluejayOAuth, TokenSource
from ._stream import StreamedEvent
from .errors import (
    AuthenticationError,
    BluejayError,
    ConflictError,
    ConnectionFailedError,
    InsufficientFundsError,
    InvalidRequestError,
    NotFoundError,
    OAuthError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    WebhookVerificationError,
)
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "AsyncBluejay",
    "AsyncBluejayOAuth",
    "AsyncList",
    "AsyncTokenSource",
    "AuthenticationError",
    "AuthorizationRequest",
    "Bluejay",
    "BluejayError",
    "BluejayOAuth",
    "ConflictError",
    "ConnectionFailedError",
    "InsufficientFundsError",
    "InvalidRequestError",
    "List",
    "NotFoundError",
    "OAuthError",
    "PermissionDeniedError",
    "RateLimitError",
    "SavedTokens",
    "ServerError",
    "StreamedEvent",
    "TokenSource",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "saved_tokens",
    "verify_webhook",
]
