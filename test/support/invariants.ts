import { expect } from '@jest/globals';
import { MailJob, type MailJobRecord } from '../../common/mail-jobs/mail-job.model.ts';
import { reconcile } from '../../common/mail-jobs/reconcile.ts';
import type { Violation } from '../../common/wallet/violation.ts';
import { Delivery, type DeliveryRecord } from '../../common/webhooks/delivery.model.ts';
import { Endpoint, type EndpointRecord } from '../../common/webhooks/endpoint.model.ts';
import { Event, type EventRecord } from '../../common/webhooks/event.model.ts';

/** What the product itself finds wrong with the money of the whole database. */
export async function findViolations(): Promise<Violation[]> {
  const violations: Violation[] = [];
  await reconcile({ report: (violation) => violations.push(violation) });
  return violations;
}

/** What must hold after any storm or fault: balances, ledger, jobs, events and deliveries tell one story. */
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
}

/** Deliveries that are being sent, but by nobody: the lease of their endpoint is another's, or over. */
async function findStuckDeliveries(now: Date): Promise<string[]> {
  const sending = await Delivery.find({ state: 'sending' }).lean<DeliveryRecord[]>();
  const endpointIds = [...new Set(sending.map(({ endpointId }) => endpointId))];
  const endpoints = await Endpoint.find({ _id: { $in: endpointIds } }).lean<EndpointRecord[]>();
  const leases = new Set(
    endpoints.flatMap(({ due }) => (due?.leaseUntil && due.leaseUntil > now ? [due.leaseToken] : [])),
  );
  return sending.filter(({ leaseToken }) => !leases.has(leaseToken)).map(({ _id }) => _id);
}
