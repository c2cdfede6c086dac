"""The caller, the wallet and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from .._calls import Call
from .lists import AsyncList
from .resource import AsyncResource

if TYPE_CHECKING:
    from .. import types


class AsyncMe(AsyncResource):
    """The caller: its organization, mode and scopes."""

    async def get(self) -> types.Caller:
        return await self._transport.send(Call("getMe"))


class AsyncWallet(AsyncResource):
    """The prepaid wallet."""

    async def get(self) -> types.Wallet:
        return await self._transport.send(Call("getWallet"))

    async def top_up_test(self, body: types.TestTopUpRequest, *, idempotency_key: str | None = None) -> types.TestTopUp:
        """Adds play money to the test wallet, once however often the request is repeated."""
        key = idempotency_key or str(uuid4())
        return await self._transport.send(Call("topUpTestWallet", body=body, idempotency_key=key))

    def transactions(
        self, query: types.ListWalletTransactionsParametersQuery | None = None
    ) -> AsyncList[types.WalletTransaction]:
        return AsyncList(self._transport, Call("listWalletTransactions", query=query))

    async def statement(
        self, month: str, query: types.GetWalletStatementParametersQuery | None = None
    ) -> types.WalletStatement | Any:
        """Returns the statement of a month (`yyyy-mm`), with `{"format": "csv"}` as text."""
        return await self._transport.send(Call("getWalletStatement", (month,), query=query))


class AsyncReports(AsyncResource):
    """Figures of a period. With `{"format": "csv"}` they are text."""

    async def letters(self, query: types.GetLettersReportParametersQuery | None = None) -> types.LettersReport | Any:
        return await self._transport.send(Call("getLettersReport", query=query))

    async def spend(self, query: types.GetSpendReportParametersQuery | None = None) -> types.SpendReport | Any:
        return await self._transport.send(Call("getSpendReport", query=query))

    async def failures(self, query: types.GetFailuresReportParametersQuery | None = None) -> types.FailuresReport | Any:
        return await self._transport.send(Call("getFailuresReport", query=query))

    async def delivery_times(
        self, query: types.GetDeliveryTimesReportParametersQuery | None = None
    ) -> types.DeliveryTimesReport | Any:
        return await self._transport.send(Call("getDeliveryTimesReport", query=query))
