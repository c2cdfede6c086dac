import { recordAudit } from '../audit/record-audit.ts';
import { dayMs, plusMs } from '../clock.ts';
import { User, type UserRecord } from '../organizations/user.model.ts';
import { sha256Hex } from '../secrets.ts';
import { FailedSignIn, type FailedSignInRecord } from './failed-sign-in.model.ts';

/** Wrong passwords per account and day from unknown browsers. NIST SP 800-63B, 5.2.2 allows 100. */
export const failuresPerDay = 100;
/** Failures in a day after which the owner gets one mail. More than typing errors explain. */
export const failuresBeforeNotice = 20;
/** The audit log gets an entry when a day's failures reach each of these, so guessing cannot flood it. */
const recordedSteps = [1, 10, failuresPerDay] as const;

/** `deviceId` identifies a browser that has signed in to this account before. It has a limit of its own. */
export type SignInSource = { email: string; deviceId: string | null };

/** Returns a key for an account without its e-mail address, which is private and may be of any length when typed. */
export function accountKey(email: string): string {
  return sha256Hex(email.trim().toLowerCase()).slice(0, 32);
}

/**
 * Counts an attempt before the password is checked, so concurrent attempts cannot exceed the limit. A successful
 * attempt is uncounted. Unknown accounts are counted alike. Days are UTC days.
 */
export async function countAttempt(
  source: SignInSource,
  at: Date,
): Promise<{ isAllowed: boolean; retryAfterS: number }> {
  const dayEnd = endOfDay(at);
  const { attempts } = await FailedSignIn.findOneAndUpdate(
    { _id: rowId(source, at) },
    { $inc: { attempts: 1 }, $setOnInsert: { account: accountKey(source.email), expiresAt: plusMs(dayEnd, dayMs) } },
    { upsert: true, returnDocument: 'after' },
  )
    .orFail()
    .lean<FailedSignInRecord>();
  return { isAllowed: attempts <= failuresPerDay, retryAfterS: Math.ceil((dayEnd.getTime() - at.getTime()) / 1_000) };
}

/** Uncounts an attempt that did not fail. */
export async function undoAttempt(source: SignInSource, at: Date): Promise<void> {
  await FailedSignIn.updateOne({ _id: rowId(source, at) }, { $inc: { attempts: -1 } });
}

/** Clears the failures of an account after its owner has proven control of the mailbox. */
export async function forgetFailedSignIns(email: string): Promise<void> {
  await FailedSignIn.deleteMany({ account: accountKey(email) });
}

/**
 * Records failures of an existing account in the audit log. Returns the user to notify: once a day, at the attempt that
 * reaches `failuresBeforeNotice`. Otherwise returns null.
 */
export async function reportFailures(
  source: SignInSource,
  at: Date,
): Promise<{ user: UserRecord; attempts: number } | null> {
  const [user, row] = await Promise.all([
    User.findOne({ email: source.email.trim().toLowerCase() }).lean<UserRecord>(),
    FailedSignIn.findById(rowId(source, at)).lean<FailedSignInRecord>(),
  ]);
  if (!user || !row) return null;
  const { _id, attempts } = row;
  const step = recordedSteps.findLast((bound) => bound <= attempts) ?? 0;
  const recording = await FailedSignIn.updateOne({ _id, recorded: { $lt: step } }, { recorded: step });
  if (recording.modifiedCount === 1) {
    const { _id: subjectId, organizationId } = user;
    const detail = { attempts: step, isKnownBrowser: source.deviceId !== null };
    const entry = { action: 'user.sign-in-failed', subjectId, organizationId, detail } as const;
    await recordAudit(entry, { kind: 'anonymous', id: 'visitor' }, at);
  }
  if (attempts < failuresBeforeNotice) return null;
  const notified = await FailedSignIn.updateOne({ _id, toldAt: null }, { toldAt: at });
  return notified.modifiedCount === 1 ? { user, attempts } : null;
}

/** Clears the notification after its mail failed. The next failure tries again. */
export async function clearNotified(source: SignInSource, at: Date): Promise<void> {
  await FailedSignIn.updateOne({ _id: rowId(source, at) }, { toldAt: null });
}

function rowId({ email, deviceId }: SignInSource, at: Date): string {
  return [accountKey(email), deviceId ?? 'any', at.toISOString().slice(0, 10)].join(':');
}

function endOfDay(at: Date): Date {
  return new Date((Math.floor(at.getTime() / dayMs) + 1) * dayMs);
}
