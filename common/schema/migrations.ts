import { ApiKey } from '../access/api-key.model.ts';
import { Address } from '../addresses/address.model.ts';
import { MailJob } from '../mail-jobs/mail-job.model.ts';
import { OAuthClient } from '../oauth/client.model.ts';
import { OAuthGrant } from '../oauth/grant.model.ts';
import { AuditEntry } from '../organizations/audit.model.ts';
import { Notice } from '../organizations/notice.model.ts';
import { Organization } from '../organizations/organization.model.ts';
import { User } from '../organizations/user.model.ts';
import { Chore } from '../platform/chore.model.ts';
import type { Migration } from '../platform/migrate.ts';
import { Tariff } from '../pricing/tariff.model.ts';
import { PasswordReset } from '../sessions/password-reset.model.ts';
import { Session } from '../sessions/session.model.ts';
import { SpentToken } from '../sessions/spent-token.model.ts';
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
  OAuthGrant,
  Session,
  PasswordReset,
  SpentToken,
  AuditEntry,
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
    number: 2,
    name: 'mail jobs: filters of the list',
    async run() {
      await MailJob.createIndexes();
      // The new one for status, zone and service does its work.
      const indexes = await MailJob.collection.indexes();
      const former = indexes.find(({ name }) => name === 'organizationId_1_mode_1_status_1__id_-1');
      if (former?.name !== undefined) await MailJob.collection.dropIndex(former.name);
    },
  },
  {
    number: 5,
    name: 'the ledger by time and by kind',
    run: async () => void (await LedgerEntry.createIndexes()),
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
  {
    number: 7,
    name: 'indexes for looking at events and deliveries',
    async run() {
      await Event.createIndexes();
      await Delivery.createIndexes();
    },
  },
  {
    number: 8,
    name: 'grants of OAuth applications',
    async run() {
      await OAuthGrant.createCollection();
      await OAuthGrant.createIndexes();
      await OAuthClient.createIndexes();
      // Applications that were registered before either could be.
      await OAuthClient.updateMany(
        { disabledAt: { $exists: false } },
        { $set: { disabledAt: null, formerSecretEndsAt: null } },
      );
    },
  },
  {
    number: 9,
    name: 'sessions of people, and what users get for them',
    async run() {
      for (const model of [Session, PasswordReset, SpentToken]) {
        await model.createCollection();
        await model.createIndexes();
      }
      await User.updateMany({ passwordVersion: { $exists: false } }, { passwordVersion: 0, language: null });
    },
  },
  {
    number: 20,
    name: 'the audit log, and what administrators look for',
    async run() {
      await AuditEntry.createCollection();
      await AuditEntry.createIndexes();
      await Organization.createIndexes();
      await MailJob.createIndexes();
    },
  },
  {
    number: 21,
    name: 'notices by mail, and wallets with a threshold',
    async run() {
      await Notice.collection.updateMany({ mailAt: { $exists: false } }, [
        {
          $set: {
            mailAt: { $cond: [{ $eq: ['$mailedAt', null] }, '$at', null] },
            mailRounds: 0,
            mailedTo: [],
          },
        },
      ]);
      const former = 'at_1';
      if ((await Notice.listIndexes()).some(({ name }) => name === former)) await Notice.collection.dropIndex(former);
      await Notice.createIndexes();
      await Wallet.createIndexes();
    },
  },
];
