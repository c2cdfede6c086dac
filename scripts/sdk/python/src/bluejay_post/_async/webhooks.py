"""Webhooks and their deliveries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._calls import Call
from .lists import AsyncList
from .resource import AsyncResource

if TYPE_CHECKING:
    from .. import types


class AsyncWebhooks(AsyncResource):
    """Webhooks and their deliveries."""

    def list(self, query: types.ListWebhooksParametersQuery | None = None) -> AsyncList[types.Webhook]:
        return AsyncList(self._transport, Call("listWebhooks", query=query))

    async def create(self, body: types.WebhookRequest) -> types.CreateWebhookResponse:
        """The answer has the secret, once."""
        return await self._transport.send(Call("createWebhook", body=body))

    async def get(self, id: str) -> types.Webhook:
        return await self._transport.send(Call("getWebhook", (id,)))

    async def change(self, id: str, body: types.WebhookPatch) -> types.Webhook:
        return await self._transport.send(Call("changeWebhook", (id,), body=body))

    async def delete(self, id: str) -> types.DeleteWebhookResponse:
        return await self._transport.send(Call("deleteWebhook", (id,)))

    async def rotate_secret(
        self, id: str, body: types.SecretRotationRequest | None = None
    ) -> types.RotateWebhookSecretResponse:
        return await self._transport.send(Call("rotateWebhookSecret", (id,), body=body or {}))

    async def ping(self, id: str) -> types.PingWebhookResponse:
        return await self._transport.send(Call("pingWebhook", (id,)))

    def deliveries(
        self, id: str, query: types.ListDeliveriesParametersQuery | None = None
    ) -> AsyncList[types.Delivery]:
        return AsyncList(self._transport, Call("listDeliveries", (id,), query=query))

    async def redeliver(self, id: str, delivery_id: str) -> types.Delivery:
        return await self._transport.send(Call("redeliverDelivery", (id, delivery_id)))

    async def redeliver_failed(self, id: str, body: types.RedeliverFailedRequest) -> types.RedeliverFailedResponse:
        return await self._transport.send(Call("redeliverFailed", (id,), body=body))
