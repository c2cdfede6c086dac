"""Times: `datetime` with a zone in Python, texts in JSON."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any


def read_times(value: Any, fields: Mapping[str, Any] | None) -> Any:
    """
    Returns a copy of an answer with these fields as `datetime`. A field is None for a time, or has fields of its own.
    All others stay, so that a customer's metadata is theirs.
    """
    if isinstance(value, list):
        return [read_times(each, fields) for each in value]
    if fields is None:
        return _read_time(value)
    if not isinstance(value, dict):
        return value
    return {name: read_times(each, fields[name]) if name in fields else each for name, each in value.items()}


def _read_time(value: Any) -> Any:
    """Leaves what is not a time with a zone: the request of this answer has been carried out."""
    try:
        # Before Python 3.11, the Z of UTC is not read.
        time = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except (AttributeError, ValueError):
        return value
    return value if time.utcoffset() is None else time


def write_time(value: Any) -> str:
    """Raises a ValueError for a datetime without a zone: the API would have to guess it. A TypeError for another type."""
    if not isinstance(value, datetime):
        raise TypeError(f"{type(value).__name__} cannot be sent as JSON.")
    if value.utcoffset() is None:
        raise ValueError("Give a datetime with a zone, such as datetime.now(timezone.utc).")
    return value.isoformat()
