import { type Clock, plusMs } from '../clock.ts';
import type { Log } from '../platform/log.ts';
import type { Mailer } from '../platform/mailer.ts';
import { Notice, type NoticeRecord } from './notice.model.ts';
import { noticeMail } from './notice-mail.ts';
import { User, type UserRecord } from './user.model.ts';

/** Notices mailed by one call: whoever has as many calls again. */
export const maxMailed = 50;
/** More users of one organization are not written to. */
const maxUsers = 100;
/** When a round that was begun and did not end is begun anew; after the last one the notice is on the pages only. */
const retryDelaysMs = [5 * 60_000, 30 * 60_000, 2 * 3_600_000, 8 * 3_600_000, 24 * 3_600_000];

export type MailNoticesDeps = { mailer: Mailer; authUrl: string; clock: Clock; log: Log };

/**
 * Mails what organizations are to be told to each of their users, in the user's language. A notice is claimed before it
 * is mailed, so that of several workers one mails it; a user who has it does not get it again. Returns how many notices
 * were taken up. `signal` ends it between two notices.
 */
export async function mailNotices(deps: MailNoticesDeps, signal: AbortSignal): Promise<number> {
  for (let count = 0; count < maxMailed; count += 1) {
    const notice = signal.aborted ? null : await claim(deps.clock.now());
    if (!notice) return count;
    await mailOne(notice, deps);
  }
  return maxMailed;
}

/** The longest waiting one, with its next round put off in the same write: nobody else takes it up before. */
async function claim(now: Date): Promise<NoticeRecord | null> {
  // The type is named for the index, which has none but dates.
  const waiting = await Notice.findOne({ mailAt: { $lte: now, $type: 'date' } })
    .sort({ mailAt: 1 })
    .lean<NoticeRecord>();
  if (!waiting) return null;
  const { _id, mailAt, mailRounds } = waiting;
  const delayMs = retryDelaysMs[mailRounds];
  const next = delayMs === undefined ? null : plusMs(now, delayMs);
  const { modifiedCount } = await Notice.updateOne({ _id, mailAt }, { mailAt: next, mailRounds: mailRounds + 1 });
  // Somebody was faster: the next call looks again.
  return modifiedCount === 1 ? waiting : null;
}

async function mailOne(notice: NoticeRecord, { mailer, authUrl, clock, log }: MailNoticesDeps): Promise<void> {
  const { _id: noticeId, organizationId, kind, mailedTo } = notice;
  const users = await User.find({ organizationId }).sort({ _id: 1 }).limit(maxUsers).lean<UserRecord[]>();
  let failedCount = 0;
  for (const user of users.filter(({ _id }) => !mailedTo.includes(_id))) {
    try {
      await mailer.send(noticeMail(notice, user, authUrl));
      await Notice.updateOne({ _id: noticeId }, { $addToSet: { mailedTo: user._id } });
    } catch (error) {
      failedCount += 1;
      // Of the error only its code: the server's words repeat the address.
      log.warn({ noticeId, kind, code: (error as { code?: unknown }).code }, 'notice not mailed');
    }
  }
  if (failedCount === 0) await Notice.updateOne({ _id: noticeId }, { mailedAt: clock.now(), mailAt: null });
}
