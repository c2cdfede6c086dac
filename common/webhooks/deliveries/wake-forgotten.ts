import { plusMs } from '#common/clock.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { Endpoint } from '../endpoints/endpoint.model.ts';
import { type EndpointRef, wakeEndpoints } from '../endpoints/wake-endpoints.ts';
import { Delivery, type DeliveryRecord, pendingByEndpoint } from './delivery.model.ts';

/** Skips deliveries changed more recently than this: the process that stored them may be about to wake the endpoint. */
const defaultMinAgeMs = 60_000;

/** Endpoints woken per write. */
const wakeBatchSize = 500;

/** Endpoints per query: one query for all of them would exceed the socket timeout in a large database. */
const pageSize = 1_000;

/** Reads one index entry per endpoint that has deliveries, and two more per idle endpoint. */
const pipelineFor = (endpointIds: readonly string[]) => [
  { $match: { endpointId: { $in: endpointIds } } },
  { $group: { _id: '$endpointId' } },
  {
    $lookup: {
      from: Endpoint.collection.name,
      localField: '_id',
      foreignField: '_id',
      pipeline: [{ $match: { due: { $exists: true } } }, { $project: { _id: 1 } }],
      as: 'due',
    },
  },
  { $match: { due: [] } },
  {
    $lookup: {
      from: Delivery.collection.name,
      localField: '_id',
      foreignField: 'endpointId',
      pipeline: [
        { $match: { state: { $in: ['due', 'sending'] } } },
        { $limit: 1 },
        { $project: { organizationId: 1, mode: 1, webhookId: 1, updatedAt: 1 } },
      ],
      as: 'waiting',
    },
  },
  { $unwind: '$waiting' },
];

type Found = { _id: string; waiting: Pick<DeliveryRecord, 'organizationId' | 'mode' | 'webhookId' | 'updatedAt'> };

/**
 * Yields forgotten endpoints: the endpoint is not due although deliveries are due or being sent, so no worker would
 * ever claim it. A process that dies between two writes can cause this.
 */
export async function* findForgotten(now: Date, minAgeMs = defaultMinAgeMs): AsyncGenerator<EndpointRef> {
  for await (const ids of pagesOfEndpoints()) {
    const found = rowsOf<DeliveryRecord>(Delivery).aggregate<Found>(pipelineFor(ids), { hint: pendingByEndpoint });
    for await (const { _id: endpointId, waiting } of found) {
      const { organizationId, mode, webhookId, updatedAt } = waiting;
      if (updatedAt <= plusMs(now, -minAgeMs)) yield { organizationId, mode, webhookId, endpointId };
    }
  }
}

/** Yields the ids of all endpoints with deliveries in pages, with one index seek per endpoint. */
async function* pagesOfEndpoints(): AsyncGenerator<string[]> {
  const options = { hint: pendingByEndpoint, batchSize: pageSize };
  const endpoints = rowsOf<DeliveryRecord>(Delivery).aggregate<{ _id: string }>(
    [{ $group: { _id: '$endpointId' } }],
    options,
  );
  let ids: string[] = [];
  for await (const { _id } of endpoints) {
    ids.push(_id);
    if (ids.length < pageSize) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;
}

/** Makes all forgotten endpoints due at once; returns their ids. */
export async function wakeForgotten(now: Date, signal?: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  let batch: EndpointRef[] = [];
  const wake = async () => {
    await wakeEndpoints(batch, now);
    ids.push(...batch.map(({ endpointId }) => endpointId));
    batch = [];
  };
  for await (const endpoint of findForgotten(now)) {
    signal?.throwIfAborted();
    batch.push(endpoint);
    if (batch.length >= wakeBatchSize) await wake();
  }
  await wake();
  return ids;
}
