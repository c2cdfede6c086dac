"""Uploads and checks of files."""

from __future__ import annotations

import hashlib
import time
from typing import Any

from .._calls import Call
from .._files import ReadFile
from ..errors import BluejayError, ConnectionFailedError
from .concurrency import sleep
from .transport import AsyncTransport

_CHECK_EVERY_S = 0.2
_CHECK_FOR_S = 60.0


async def find_sent(transport: AsyncTransport, external_id: Any, file: ReadFile) -> Any:
    """Returns the letter with this externalId if it has this very file, where the credential may read letters."""
    if not isinstance(external_id, str):
        return None
    try:
        page = await transport.send(Call("listMails", query={"externalId": external_id, "limit": 1}))
        for summary in page["data"]:
            letter = await transport.send(Call("getMail", (summary["mailJobId"],)))
            digest = hashlib.md5(file.content, usedforsecurity=False).hexdigest()
            if [each["etag"] for each in letter["files"]] == [f'"{digest}"']:
                return letter
    except BluejayError:
        # It only saves the upload, which works without the scope.
        pass
    return None


async def upload_file(transport: AsyncTransport, file: ReadFile) -> str:
    """Uploads a file and returns its key."""
    body = {"filename": file.filename, "mimeType": file.mime_type, "sizeBytes": len(file.content)}
    upload = await transport.send(Call("createUpload", body=body))
    await transport.put(upload["uploadUrl"], file.content, upload["headers"])
    return str(upload["s3Key"])


async def check_file(transport: AsyncTransport, s3_key: str, service_type: str) -> Any:
    """Returns the finished check of an uploaded file."""
    started = time.monotonic()
    body = {"files": [{"s3Key": s3_key}], "serviceType": service_type}
    check = await transport.send(Call("createPreflight", body=body))
    while check["status"] == "running":
        if time.monotonic() - started > _CHECK_FOR_S:
            raise ConnectionFailedError("The file was not checked in time. Give its pages.", code="TIMEOUT")
        await sleep(_CHECK_EVERY_S)
        check = await transport.send(Call("getPreflight", (check["preflightId"],)))
    return check
