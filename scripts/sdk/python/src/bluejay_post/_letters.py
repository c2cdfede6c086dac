"""The letter of `mails.send_file`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypedDict

    from . import types

    class SendFileLetter(TypedDict):
        """A letter without its file. What can be derived from the file and the recipients may be absent."""

        recipients: list[types.PostalAddressInput | types.AddressReferenceInput]
        zone: NotRequired[str]
        serviceType: NotRequired[str]
        pages: NotRequired[int]
        color: NotRequired[bool | None]
        doubleSided: NotRequired[bool | None]
        acknowledgmentReceipt: NotRequired[bool | None]
        scheduledDropAt: NotRequired[str | None]
        sender: NotRequired[types.PostalAddressInput | types.AddressReferenceInput | None]
        externalId: NotRequired[str | None]
        webhookUrl: NotRequired[str | None]
        metadata: NotRequired[dict[str, str] | None]
        dryRun: NotRequired[bool | None]
        maxTotalCents: NotRequired[int | None]
