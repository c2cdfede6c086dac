import { randomBytes } from 'node:crypto';
import { hourMs, plusMs } from '../clock.ts';
import { User, type UserRecord } from '../organizations/user.model.ts';
import { sha256Hex } from '../secrets.ts';
import { Session, type SessionRecord } from './session.model.ts';

/** A session ends this long after its last use, and `absoluteMs` after the sign-in in any case. */
const idleMs = 12 * hourMs;
const absoluteMs = 7 * 24 * hourMs;
const lastSeenStepMs = 60_000;

/** Creates a session for an authenticated user. Only the user's browser may receive the returned id. */
export async function createSession(user: UserRecord, at: Date): Promise<string> {
  const id = randomBytes(32).toString('base64url');
  const record: SessionRecord = {
    _id: sha256Hex(id),
    userId: user._id,
    passwordVersion: user.passwordVersion,
    createdAt: at,
    lastSeenAt: at,
    expiresAt: plusMs(at, idleMs),
  };
  await Session.create([record]);

  return id;
}

/** Returns the user of a session, or null if it is unknown, ended or older than the user's password. */
export async function findSessionUser(id: string, at: Date): Promise<UserRecord | null> {
  const session = await Session.findOne({ _id: sha256Hex(id), expiresAt: { $gt: at } }).lean<SessionRecord>();
  if (!session) return null;
  const user = await User.findOne({
    _id: session.userId,
    passwordVersion: session.passwordVersion,
  }).lean<UserRecord>();
  if (user && session.lastSeenAt <= plusMs(at, -lastSeenStepMs)) await extend(session, at);

  return user;
}

async function extend({ _id, createdAt }: SessionRecord, at: Date): Promise<void> {
  const expiresAt = new Date(Math.min(at.getTime() + idleMs, createdAt.getTime() + absoluteMs));
  await Session.updateOne({ _id }, { lastSeenAt: at, expiresAt });
}

/** Ends a session. Ignores an unknown id. */
export async function endSession(id: string): Promise<void> {
  await Session.deleteOne({ _id: sha256Hex(id) });
}

/** Removes sessions that a new password has already invalidated. */
export async function removeSessionsOf(userId: string): Promise<void> {
  await Session.deleteMany({ userId });
}
