"""Letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from .._calls import Call
from .._files import FileSource, pages_of, read_source, zone_of
from .lists import AsyncList
from .resource import AsyncResource
from .upload import check_file, find_sent, upload_file

if TYPE_CHECKING:
    from .. import types


class AsyncMails(AsyncResource):
    """Letters."""

    async def create(self, letter: types.MailJobRequest, *, idempotency_key: str | None = None) -> types.MailJobReceipt:
        """
        Sends a letter, or with `dryRun` only checks and prices it. It is sent and paid once, however often the request is
        repeated: a call without `externalId` gets an idempotency key of its own, so give an `externalId` when another
        process may repeat the call.
        """
        is_keyed = isinstance(letter.get("externalId"), str) or idempotency_key is not None
        key = idempotency_key if is_keyed else str(uuid4())
        return await self._transport.send(Call("createMail", body=letter, idempotency_key=key))

    async def send_file(
        self,
        file: FileSource,
        letter: types.SendFileLetter,
        *,
        filename: str | None = None,
        mime_type: str | None = None,
        idempotency_key: str | None = None,
    ) -> types.MailJobReceipt:
        """
        Uploads a file and sends it as a letter. `file` is a path, bytes, or a file opened for reading bytes, at most
        20 MiB: PDF, JPEG, PNG or HEIC. Unless given, `zone` follows from the countries of the recipients, `serviceType`
        is `standard`, and `pages` is counted by a check, which raises an error when the file cannot be printed.
        With an `externalId` that has sent the same file, nothing is uploaded, if the credential has the scope `read` and
        the letter is not a dry run.
        """
        read = read_source(file, filename=filename, mime_type=mime_type)
        # A dry run needs files that can still be sent, which those of an earlier letter are for a day only.
        external_id = None if letter.get("dryRun") else letter.get("externalId")
        sent = await find_sent(self._transport, external_id, read)
        s3_key = sent["files"][0]["s3Key"] if sent else await upload_file(self._transport, read)
        body: dict[str, Any] = {"serviceType": "standard", "zone": zone_of(letter["recipients"]), **letter}
        body["files"] = [{"s3Key": s3_key}]
        if body.get("pages") is None and sent:
            body["pages"] = sent["pages"]
        if body.get("pages") is None:
            body["pages"] = pages_of(await check_file(self._transport, s3_key, body["serviceType"]))
        return await self.create(cast("types.MailJobRequest", body), idempotency_key=idempotency_key)

    def list(self, query: types.ListMailsParametersQuery | None = None) -> AsyncList[types.MailJobSummary]:
        """Lists letters, newest first."""
        return AsyncList(self._transport, Call("listMails", query=query))

    async def get(self, id: str) -> types.MailJob:
        return await self._transport.send(Call("getMail", (id,)))

    async def change(self, id: str, body: types.MailJobPatch) -> types.MailJob:
        return await self._transport.send(Call("changeMail", (id,), body=body))

    async def cancel(self, id: str, body: types.CancelRequest | None = None) -> types.CancelledMailJob:
        """Cancels a letter that is not printed yet, and refunds it."""
        return await self._transport.send(Call("cancelMail", (id,), body=body or {}))

    async def timeline(self, id: str) -> types.Timeline:
        return await self._transport.send(Call("getTimeline", (id,)))

    async def proof(self, id: str, query: types.GetProofParametersQuery | None = None) -> types.Proof:
        """Returns a URL of the letter as it goes to press."""
        return await self._transport.send(Call("getProof", (id,), query=query))

    async def preview(self, id: str, query: types.GetPreviewParametersQuery | None = None) -> types.Preview:
        """Returns a URL of the picture of a page."""
        return await self._transport.send(Call("getPreview", (id,), query=query))

    async def preflight(self, id: str) -> types.MailJobPreflight:
        return await self._transport.send(Call("getMailPreflight", (id,)))

    async def simulate(self, id: str, body: types.SimulateMailRequest | None = None) -> types.SimulateMailResponse:
        """Advances a test letter by one status, or to a status."""
        return await self._transport.send(Call("simulateMail", (id,), body=body or {}))

    async def redact(self, id: str) -> types.MailJob:
        """Removes the contents and addresses of a letter that is final."""
        return await self._transport.send(Call("redactMail", (id,)))
