import { Event, type EventRecord } from '#common/events/event.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { reconcile } from '#common/operations/reconcile.ts';
import type { Violation } from '#common/wallet/ledger/check-ledgers.ts';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { findForgotten } from '#common/webhooks/deliveries/wake-forgotten.ts';
import { Endpoint, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import { eventually, expect } from '../jest.ts';

/** Runs the product's reconciliation over the whole database and returns its violations. */
export async function findViolations(): Promise<Violation[]> {
  const violations: Violation[] = [];
  await reconcile({ report: (violation) => violations.push(violation) });
  return violations;
}

/** Checks the invariants after any load or fault: balances, ledger, jobs, events and deliveries agree. */
export async function expectInvariants(now: Date = new Date()): Promise<void> {
  expect(await findViolations()).toEqual([]);
  const jobs = await MailJob.find().select({ status: 1 }).lean<Pick<MailJobRecord, '_id' | 'status'>[]>();
  const events = await Event.find().select({ subjectId: 1, kind: 1 }).lean<EventRecord[]>();
  const names = events.map(({ subjectId, kind }) => `${subjectId} ${kind}`);
  const reached = jobs.flatMap(({ _id, status }) => [`${_id} MAIL_QUEUED`, `${_id} MAIL_${status.toUpperCase()}`]);
  const known = new Set(names);
  expect(known.size).toBe(names.length);
  expect(reached.filter((name) => !known.has(name))).toEqual([]);
  expect(events.filter(({ kind }) => kind === 'MAIL_QUEUED')).toHaveLength(jobs.length);
  expect(await findStuckDeliveries(now)).toEqual([]);
  // The endpoint of a delivery stored just now may become due a moment later.
  await eventually(async () => expect(await Array.fromAsync(findForgotten(new Date(), 0))).toEqual([]));
}

/** Returns deliveries in state `sending` whose endpoint has no valid lease with their token. */
async function findStuckDeliveries(now: Date): Promise<string[]> {
  const sending = await Delivery.find({ state: 'sending' }).lean<DeliveryRecord[]>();
  const endpointIds = [...new Set(sending.map(({ endpointId }) => endpointId))];
  const endpoints = await Endpoint.find({ _id: { $in: endpointIds } }).lean<EndpointRecord[]>();
  const leases = new Set(
    endpoints.flatMap(({ due }) => (due?.leaseUntil && due.leaseUntil > now ? [due.leaseToken] : [])),
  );
  return sending.filter(({ leaseToken }) => !leases.has(leaseToken)).map(({ _id }) => _id);
}
