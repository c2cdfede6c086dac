import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { reconcile } from '#common/operations/reconcile.ts';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { findLeaksInFile } from '#scripts/find-log-leaks.ts';
import { piecesOf } from '#scripts/program/pieces-of.ts';
import type { Installation } from '../installation.ts';
import { rowsPerBulk } from '../load-plan.ts';
import type { SentLetter, World } from '../perform.ts';
import type { SoakReceiver } from '../receiver.ts';

/** A promise, its figure, and what broke it. It was kept when there are no violations. */
export type Check = { name: string; figure: string; violations: string[] };

const perQuery = 1_000;

export async function checkRecords(
  world: World,
  { installation, receiver }: { installation: Installation; receiver: SoakReceiver },
): Promise<Check[]> {
  return [
    await checkLetters(world),
    await checkMoney(),
    await checkReports(receiver),
    await checkDeliveries(receiver),
    await checkLogs(installation),
  ];
}

/** Every accepted letter is stored once, and nothing else is. */
async function checkLetters({ records }: World): Promise<Check> {
  const violations: string[] = [];
  const ids = new Set(records.letters.map(({ mailJobId }) => mailJobId));
  if (ids.size < records.letters.length) violations.push('two letters have the same id');
  for (const some of piecesOf(records.letters, perQuery)) violations.push(...(await findWrong(some)));
  const bulks = await Bulk.find({ _id: { $in: records.bulks.map(({ bulkId }) => bulkId) } }).lean<BulkRecord[]>();
  for (const { _id, state, progress } of bulks) {
    if (state !== 'sent' || progress.sent !== rowsPerBulk) violations.push(`${_id} is ${state}, ${progress.sent} sent`);
  }
  const expected = records.letters.length + rowsPerBulk * records.bulks.length;
  const stored = await MailJob.countDocuments();
  if (stored !== expected) violations.push(`${expected} letters were accepted and ${stored} are stored`);
  const figure = `${records.letters.length} letters and ${bulks.length} bulks of ${rowsPerBulk}`;
  return { name: 'every accepted letter is stored once', figure, violations };
}

async function findWrong(letters: readonly SentLetter[]): Promise<string[]> {
  const rows = await MailJob.find({ _id: { $in: letters.map(({ mailJobId }) => mailJobId) } })
    .select({ externalId: 1, organizationId: 1 })
    .lean<Pick<MailJobRecord, '_id' | 'externalId' | 'organizationId'>[]>();
  const stored = new Map(rows.map((row) => [row._id, row]));
  return letters.flatMap(({ mailJobId, externalId, customer }) => {
    const row = stored.get(mailJobId);
    if (!row) return [`${mailJobId} (${externalId}) was accepted and is not stored`];
    const isSame = row.externalId === externalId && row.organizationId === customer.owner.organizationId;
    return isSame ? [] : [`${mailJobId} is stored with externalId ${row.externalId}, not ${externalId}`];
  });
}

/** The reconciliation compares each letter with its debit, each debit with its letter, and wallets with their entries. */
async function checkMoney(): Promise<Check> {
  const violations: string[] = [];
  const result = await reconcile({
    report({ subject, id, rule, expected, found }) {
      violations.push(`${subject} ${id}: ${rule}: expected ${expected}, found ${found}`);
    },
  });
  const stored = await MailJob.countDocuments();
  if (result.mailJobs !== stored) violations.push(`${stored} letters are stored and ${result.mailJobs} reconciled`);
  const figure = `${result.mailJobs} letters, ${result.entries} ledger entries of ${result.wallets} wallets`;
  return { name: 'every letter is debited once, and the ledger adds up', figure, violations };
}

/** For letters without registration, `posted` is the last report. */
const lastStatus = 'posted';
const expectedEvents = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED'];

/** Every letter has its last status, and its customer got each of the statuses, signed. */
async function checkReports(receiver: SoakReceiver): Promise<Check> {
  const violations = [...receiver.problems()];
  let reported = 0;
  const jobs = MailJob.find()
    .select({ mode: 1, status: 1 })
    .lean<Pick<MailJobRecord, '_id' | 'mode' | 'status'>>()
    .cursor();
  for await (const { _id, mode, status } of jobs) {
    if (status !== lastStatus) violations.push(`${_id} (${mode}) is ${status}, not ${lastStatus}`);
    const missing = expectedEvents.filter((event) => !receiver.hasEvent(_id, event));
    if (missing.length > 0) violations.push(`${_id}: no ${missing.join(', ')} arrived`);
    reported += expectedEvents.length - missing.length;
  }
  const figure = `${reported} reports with a valid signature`;
  return { name: 'every letter reached its last status, and each status its customer', figure, violations };
}

async function checkDeliveries(receiver: SoakReceiver): Promise<Check> {
  const violations: string[] = [];
  const deliveries = Delivery.find().select({ state: 1 }).lean<Pick<DeliveryRecord, '_id' | 'state'>>().cursor();
  for await (const { _id, state } of deliveries) {
    if (state !== 'delivered') violations.push(`${_id} is ${state}`);
    else if (!receiver.hasDelivered(_id)) violations.push(`${_id} is recorded as delivered, and did not arrive`);
  }
  const counts = receiver.counts();
  const figure = `${counts.distinct} deliveries in ${counts.deliveries} requests`;
  return { name: 'every delivery arrived and was answered', figure, violations };
}

async function checkLogs({ logFiles }: Installation): Promise<Check> {
  const leaks = (await Promise.all(logFiles.map(findLeaksInFile))).flat();
  // Not the line itself, which contains what must not be seen.
  const violations = leaks.map((line) => `a log line of ${line.length} characters contains a secret or an address`);
  return { name: 'no log contains a secret or an address', figure: `${logFiles.length} logs`, violations };
}
