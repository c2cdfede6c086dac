import { ApiKey } from '../access/api-key.model.ts';
import { OAuthGrant } from '../access/grant.model.ts';
import { Address } from '../addresses/address.model.ts';
import { AuditEntry } from '../audit/audit.model.ts';
import { Bulk } from '../bulk/model/bulk.model.ts';
import { BulkRow } from '../bulk/model/bulk-row.model.ts';
import { Draft } from '../drafts/draft.model.ts';
import { Event } from '../events/event.model.ts';
import { ItemHistory } from '../mail-jobs/items/item-history.model.ts';
import { MailJob } from '../mail-jobs/model/mail-job.model.ts';
import { ReturnedItem } from '../mail-jobs/model/returned-item.model.ts';
import { Preflight } from '../mail-jobs/preflight/preflight.model.ts';
import { Notice } from '../notices/notice.model.ts';
import { OAuthClient } from '../oauth/client.model.ts';
import { Organization } from '../organizations/organization.model.ts';
import { User } from '../organizations/user.model.ts';
import { Chore } from '../platform/due-work/chore.model.ts';
import { Pause } from '../platform/due-work/pause.model.ts';
import { IdempotencyKey } from '../platform/idempotency/idempotency-key.model.ts';
import type { Migration } from '../platform/mongo/migrate.ts';
import type { HasPaths } from '../platform/mongo/row.ts';
import { TemporaryObject } from '../platform/s3/temporary-object.model.ts';
import { Tariff } from '../pricing/tariff.model.ts';
import { Batch } from '../production/batches/batch.model.ts';
import { PressJob } from '../production/providers/cups/press-job.model.ts';
import { TrackingRange } from '../production/tracking/tracking-range.model.ts';
import { SandboxClock } from '../sandbox/clocks/sandbox-clock.model.ts';
import { FailedSignIn } from '../sessions/failed-sign-in.model.ts';
import { PasswordReset } from '../sessions/password-reset.model.ts';
import { Session } from '../sessions/session.model.ts';
import { SpentToken } from '../sessions/spent-token.model.ts';
import { Letterhead } from '../templates/letterhead.model.ts';
import { Template, TemplateVersionModel } from '../templates/template.model.ts';
import { TypesetJob } from '../templates/typeset-job.model.ts';
import { StorageUse } from '../uploads/storage-use.model.ts';
import { Upload } from '../uploads/upload.model.ts';
import { LedgerEntry } from '../wallet/ledger/ledger-entry.model.ts';
import { Wallet } from '../wallet/ledger/wallet.model.ts';
import { Delivery, DeliveryAttempt } from '../webhooks/deliveries/delivery.model.ts';
import { Endpoint } from '../webhooks/endpoints/endpoint.model.ts';
import { Origin } from '../webhooks/endpoints/origin.model.ts';
import { Webhook } from '../webhooks/registry/webhook.model.ts';
import { eraseAgain } from './erase-again.ts';

type IndexedModel = {
  readonly collection: { readonly name: string };
  readonly schema: HasPaths & { indexes(): [object, object][] };
  createCollection(): Promise<unknown>;
  createIndexes(): Promise<unknown>;
};

/** Every collection of the product. */
export const models: readonly IndexedModel[] = [
  Organization,
  User,
  ApiKey,
  Wallet,
  LedgerEntry,
  Tariff,
  Address,
  Upload,
  StorageUse,
  MailJob,
  ItemHistory,
  ReturnedItem,
  SandboxClock,
  Batch,
  PressJob,
  TrackingRange,
  Preflight,
  Draft,
  Bulk,
  BulkRow,
  Template,
  TemplateVersionModel,
  Letterhead,
  TypesetJob,
  Event,
  Webhook,
  Endpoint,
  Delivery,
  DeliveryAttempt,
  Origin,
  OAuthClient,
  OAuthGrant,
  Session,
  PasswordReset,
  SpentToken,
  FailedSignIn,
  AuditEntry,
  Chore,
  Pause,
  Notice,
  TemporaryObject,
  IdempotencyKey,
];

/** Creates every collection and index of this version. Safe to repeat. */
export async function createCollections(): Promise<void> {
  for (const model of models) {
    await model.createCollection();
    await model.createIndexes();
  }
}

/**
 * The migrations, in order. Each runs once per installation but may be interrupted and restarted, so its steps must be
 * idempotent. One that an installation has run never changes: add another one.
 */
export const migrations: readonly Migration[] = [
  {
    number: 100,
    name: 'baseline',
    replaces: { all: [1, 2, 3, 4, 5, 6, 7, 8], some: [9, 10, 11] },
    // Before migration 10, a unique index of batches had no sides of the paper. Its successor is created first.
    steps: [createCollections, async () => void (await Batch.cleanIndexes()), eraseAgain],
  },
];
