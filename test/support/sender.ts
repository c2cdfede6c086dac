import { LedgerEntry, type LedgerEntryRecord } from '../../common/wallet/ledger-entry.model.ts';
import { walletIdOf } from '../../common/wallet/move-money.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { aLetter, aPdf, upload } from './builders.ts';
import type { Answer } from './client.ts';
import type { Customer } from './customer.ts';
import type { World } from './world.ts';

/** A customer who has one blank page in the store, and sends it as often as a test asks. */
export type Sender = Customer & {
  s3Key: string;
  /** The body of POST /v1/mails for that page. */
  letter(overrides?: Record<string, unknown>): Promise<Record<string, unknown>>;
  send(overrides?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
};

/** One upload for all letters of a customer: a letter costs a test one request instead of three. */
export async function aSender(world: World, options: Parameters<World['customer']>[0] = {}): Promise<Sender> {
  const customer = await world.customer(options);
  const s3Key = await upload(customer, await aPdf());
  const letter = (overrides: Record<string, unknown> = {}) => aLetter(customer, { files: [{ s3Key }], ...overrides });
  const send = async (overrides = {}, headers: Record<string, string> = {}) =>
    customer.http.post('/v1/mails', await letter(overrides), headers);
  return { ...customer, s3Key, letter, send };
}

/** Everything that ever moved the money of a customer, the first entry first. */
export async function ledgerOf({ organizationId, mode }: Customer): Promise<LedgerEntryRecord[]> {
  const walletId = walletIdOf({ organizationId, mode });
  return await LedgerEntry.find({ walletId }).sort({ seq: 1 }).lean<LedgerEntryRecord[]>();
}

/** The kinds of the events promised for a mail job, in the order in which they happened. */
export async function eventKindsOf(mailJobId: string): Promise<string[]> {
  const events = await Event.find({ subjectId: mailJobId }).sort({ _id: 1 }).lean();
  return events.map(({ kind }) => kind);
}

/** The paths of the issues of a 400, as `recipients.0.zip`; the empty text is the body itself. */
export function issuePaths({ body }: Answer): string[] {
  return body.issues.map(({ path }: { path: (string | number)[] }) => path.join('.'));
}
