import { randomBytes } from 'node:crypto';
import { plusMs } from '../clock.ts';
import { User, type UserRecord } from '../organizations/user.model.ts';
import { sha256Hex } from '../secrets.ts';
import { Session, type SessionRecord } from './session.model.ts';

const hourMs = 3_600_000;
/** A session ends so long after it was last used, and so long after the sign-in whatever happens. */
const idleMs = 12 * hourMs;
const absoluteMs = 7 * 24 * hourMs;
const lastSeenStepMs = 60_000;

/** Begins a session of a user who has just shown who he is. The returned id is for his browser alone. */
export async function beginSession(user: UserRecord, at: Date): Promise<string> {
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

/** The user whose session this is; null for one that was never begun, has ended or is older than his password. */
export async function findSessionUser(id: string, at: Date): Promise<UserRecord | null> {
  const session = await Session.findOne({ _id: sha256Hex(id), expiresAt: { $gt: at } }).lean<SessionRecord>();
  if (!session) return null;
  const user = await User.findOne({
    _id: session.userId,
    passwordVersion: session.passwordVersion,
  }).lean<UserRecord>();
  if (user && session.lastSeenAt <= plusMs(at, -lastSeenStepMs)) await prolong(session, at);

  return user;
}

async function prolong({ _id, createdAt }: SessionRecord, at: Date): Promise<void> {
  const expiresAt = new Date(Math.min(at.getTime() + idleMs, createdAt.getTime() + absoluteMs));
  await Session.updateOne({ _id }, { lastSeenAt: at, expiresAt });
}

/** Ends one session; an id that is none changes nothing. */
export async function endSession(id: string): Promise<void> {
  await Session.deleteOne({ _id: sha256Hex(id) });
}

/** Removes what a new password has ended already. */
export async function removeSessionsOf(userId: string): Promise<void> {
  await Session.deleteMany({ userId });
}
