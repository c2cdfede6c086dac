import type { BodyOf, FilterOf, ResultOf } from '../api/types.ts';
import { type ListOf, listOf } from '../http/list.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';
import { verifyWebhook, type WebhookEvent } from '../webhooks/verify.ts';

/** Webhooks and their deliveries. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(filter?: FilterOf<'listWebhooks'>, options?: RequestOptions): ListOf<'listWebhooks'> {
    return listOf(this.#transport, { id: 'listWebhooks', query: filter }, options);
  }

  /** The answer has the secret, once. */
  create(body: BodyOf<'createWebhook'>, options?: RequestOptions): Promise<ResultOf<'createWebhook'>> {
    return this.#transport.send({ id: 'createWebhook', body }, options);
  }

  get(id: string, options?: RequestOptions): Promise<ResultOf<'getWebhook'>> {
    return this.#transport.send({ id: 'getWebhook', path: [id] }, options);
  }

  change(id: string, body: BodyOf<'changeWebhook'>, options?: RequestOptions): Promise<ResultOf<'changeWebhook'>> {
    return this.#transport.send({ id: 'changeWebhook', path: [id], body }, options);
  }

  delete(id: string, options?: RequestOptions): Promise<ResultOf<'deleteWebhook'>> {
    return this.#transport.send({ id: 'deleteWebhook', path: [id] }, options);
  }

  rotateSecret(
    id: string,
    body?: BodyOf<'rotateWebhookSecret'>,
    options?: RequestOptions,
  ): Promise<ResultOf<'rotateWebhookSecret'>> {
    return this.#transport.send({ id: 'rotateWebhookSecret', path: [id], body: body ?? {} }, options);
  }

  ping(id: string, options?: RequestOptions): Promise<ResultOf<'pingWebhook'>> {
    return this.#transport.send({ id: 'pingWebhook', path: [id] }, options);
  }

  deliveries(id: string, filter?: FilterOf<'listDeliveries'>, options?: RequestOptions): ListOf<'listDeliveries'> {
    return listOf(this.#transport, { id: 'listDeliveries', path: [id], query: filter }, options);
  }

  redeliver(id: string, deliveryId: string, options?: RequestOptions): Promise<ResultOf<'redeliverDelivery'>> {
    return this.#transport.send({ id: 'redeliverDelivery', path: [id, deliveryId] }, options);
  }

  redeliverFailed(
    id: string,
    body: BodyOf<'redeliverFailed'>,
    options?: RequestOptions,
  ): Promise<ResultOf<'redeliverFailed'>> {
    return this.#transport.send({ id: 'redeliverFailed', path: [id], body }, options);
  }

  /** Returns the event of a delivery. Throws a `WebhookVerificationError`. See `verifyWebhook`. */
  verify(...args: Parameters<typeof verifyWebhook>): Promise<WebhookEvent> {
    return verifyWebhook(...args);
  }
}
