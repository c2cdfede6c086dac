"""Files of letters: read from paths, bytes and file objects."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from .errors import InvalidRequestError

FileSource: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | BinaryIO"
"""A path, bytes, or a file opened for reading bytes."""

_MAX_BYTES = 20 * 1024 * 1024
_TYPES = {
    "pdf": "application/pdf",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "png": "image/png",
    "heic": "image/heic",
    "heif": "image/heif",
}


@dataclass(frozen=True)
class ReadFile:
    """A file in memory, with the name and type that the upload declares."""

    content: bytes
    filename: str
    mime_type: str


def read_source(source: FileSource, *, filename: str | None = None, mime_type: str | None = None) -> ReadFile:
    """
    Reads a file of at most 20 MiB. Its type is the given one, or follows from the name; otherwise it is a PDF. Raises a
    ValueError for another type or when the file is too large.
    """
    if isinstance(source, (bytes, bytearray)):
        content, found = bytes(source), None
    elif isinstance(source, (str, os.PathLike)):
        path = Path(source)
        content, found = path.read_bytes(), path.name
    else:
        content = source.read(_MAX_BYTES + 1)
        given = getattr(source, "name", None)
        found = os.path.basename(given) if isinstance(given, str) else None
    if len(content) > _MAX_BYTES:
        raise ValueError(f"The file is larger than {_MAX_BYTES} bytes.")
    name = filename or found or "letter.pdf"
    ending = name.rpartition(".")[2].lower() if "." in name else "pdf"
    kind = mime_type or _TYPES.get(ending)
    if kind not in _TYPES.values():
        raise ValueError(f"Files of type {kind or ending} cannot be printed. Send {', '.join(_TYPES)}.")
    return ReadFile(content, name, str(kind))


def zone_of(recipients: Any) -> str:
    """An entry of the address book counts as Belgian: give `zone` when it is not."""
    return "INTERNATIONAL" if any(one.get("country", "BE") != "BE" for one in recipients) else "NATIONAL"


def pages_of(check: Any) -> int:
    """Returns the pages that a finished check has counted. Raises an error when the file cannot be printed."""
    if check["letter"] is not None:
        return int(check["letter"]["pages"])
    issues = [
        {"path": ["files", 0], "message": f"{finding['code']}: {finding['message']}"} for finding in check["findings"]
    ]
    raise InvalidRequestError("The file cannot be printed; see issues.", code="VALIDATION_ERROR", issues=issues)
