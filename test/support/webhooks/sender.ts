import { Event } from '#common/events/event.model.ts';
import { LedgerEntry, type LedgerEntryRecord } from '#common/wallet/ledger/ledger-entry.model.ts';
import { walletIdOf } from '#common/wallet/ledger/move-money.ts';
import { aLetter, aPdf, upload } from '../product/builders.ts';
import type { Answer } from '../product/client.ts';
import type { Customer, World } from '../product/world.ts';

/** A customer with one uploaded blank page to send any number of times. */
export type Sender = Customer & {
  s3Key: string;
  /** Returns a body of POST /v1/mails for that page. */
  letter(overrides?: Record<string, unknown>): Promise<Record<string, unknown>>;
  send(overrides?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
};

/** Creates a sender. Its single upload saves two requests per letter. */
export async function aSender(world: World, options: Parameters<World['customer']>[0] = {}): Promise<Sender> {
  const customer = await world.customer(options);
  const s3Key = await upload(customer, await aPdf());
  const letter = (overrides: Record<string, unknown> = {}) => aLetter(customer, { files: [{ s3Key }], ...overrides });
  const send = async (overrides = {}, headers: Record<string, string> = {}) =>
    customer.http.post('/v1/mails', await letter(overrides), headers);
  return { ...customer, s3Key, letter, send };
}

/** Returns all ledger entries of a customer, oldest first. */
export async function ledgerOf({ organizationId, mode }: Customer): Promise<LedgerEntryRecord[]> {
  const walletId = walletIdOf({ organizationId, mode });
  return await LedgerEntry.find({ walletId }).sort({ seq: 1 }).lean<LedgerEntryRecord[]>();
}

/** Returns the event kinds of a mail job in the order in which they happened. */
export async function eventKindsOf(mailJobId: string): Promise<string[]> {
  const events = await Event.find({ subjectId: mailJobId }).sort({ _id: 1 }).lean();
  return events.map(({ kind }) => kind);
}

/** Returns the paths of the issues of a 400, such as `recipients.0.zip`; the empty string is the body itself. */
export function issuePaths({ body }: Answer): string[] {
  return body.issues.map(({ path }: { path: (string | number)[] }) => path.join('.'));
}
