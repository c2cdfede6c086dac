import { ApiKey } from '../access/api-key.model.ts';
import { Address } from '../addresses/address.model.ts';
import { MailJob } from '../mail-jobs/mail-job.model.ts';
import { OAuthClient } from '../oauth/client.model.ts';
import { Notice } from '../organizations/notice.model.ts';
import { Organization } from '../organizations/organization.model.ts';
import { User } from '../organizations/user.model.ts';
import { Chore } from '../platform/chore.model.ts';
import type { Migration } from '../platform/migrate.ts';
import { Tariff } from '../pricing/tariff.model.ts';
import { Upload } from '../uploads/upload.model.ts';
import { LedgerEntry } from '../wallet/ledger-entry.model.ts';
import { Wallet } from '../wallet/wallet.model.ts';
import { Delivery, DeliveryAttempt } from '../webhooks/delivery.model.ts';
import { Endpoint } from '../webhooks/endpoint.model.ts';
import { Event } from '../webhooks/event.model.ts';
import { Origin } from '../webhooks/origin.model.ts';
import { lateFromAttempt } from '../webhooks/retry-schedule.ts';
import { Webhook } from '../webhooks/webhook.model.ts';

/** What this step asks of a model. */
type IndexedModel = { createCollection(): Promise<unknown>; createIndexes(): Promise<unknown> };

/** Every collection that the product has. */
export const models: readonly IndexedModel[] = [
  Organization,
  User,
  ApiKey,
  Wallet,
  LedgerEntry,
  Tariff,
  Address,
  Upload,
  MailJob,
  Event,
  Webhook,
  Endpoint,
  Delivery,
  DeliveryAttempt,
  Origin,
  OAuthClient,
  Chore,
  Notice,
];

/**
 * The history of the database's shape, in order. Each step runs once in the life of an installation, but may be cut off
 * and begun again, so it must be safe to repeat. A step that was released is never changed: add another one.
 */
export const migrations: readonly Migration[] = [
  {
    number: 1,
    name: 'collections and their indexes',
    async run() {
      for (const model of models) {
        await model.createCollection();
        await model.createIndexes();
      }
    },
  },
  {
    number: 6,
    name: 'health of endpoints, late retries, permits for origins, notices',
    async run() {
      await Delivery.collection.updateMany({ isLate: { $exists: false } }, [
        {
          $set: {
            isLate: { $gte: [{ $add: ['$attempt', 1] }, lateFromAttempt] },
            eventAt: { $ifNull: ['$eventAt', '$createdAt'] },
          },
        },
      ]);
      for (const model of [Notice, Origin]) await model.createCollection();
      for (const model of [Delivery, Endpoint, Notice, Origin]) await model.createIndexes();
      const former = 'endpointId_1_state_1_nextAttemptAt_1';
      if ((await Delivery.listIndexes()).some(({ name }) => name === former))
        await Delivery.collection.dropIndex(former);
    },
  },
];
