import { type Clock, plusMs } from '../clock.ts';
import { User, type UserRecord } from '../organizations/user.model.ts';
import type { Log } from '../platform/process/log.ts';
import type { Mailer } from '../platform/process/mailer.ts';
import { Notice, type NoticeRecord } from './notice.model.ts';
import { noticeMail } from './notice-mail.ts';

/** Notices mailed per call. If this many were processed, call again. */
export const maxMailed = 50;
/** At most this many users of an organization get a mail. */
const maxUsers = 100;
/**
 * Delays before each retry of a notice that did not reach all users. After the last one the notice is shown on pages
 * only.
 */
const retryDelaysMs = [5 * 60_000, 30 * 60_000, 2 * 3_600_000, 8 * 3_600_000, 24 * 3_600_000];

export type MailNoticesDeps = { mailer: Mailer; authUrl: string; clock: Clock; log: Log };

/**
 * Mails waiting notices to every user of their organization, in the user's language. Claims a notice before mailing it,
 * so only one worker mails it; users who received it do not get it again. Returns how many notices it claimed. `signal`
 * stops it between two notices.
 */
export async function mailNotices(deps: MailNoticesDeps, signal: AbortSignal): Promise<number> {
  for (let count = 0; count < maxMailed; count += 1) {
    const notice = signal.aborted ? null : await claim(deps.clock.now());
    if (!notice) return count;
    await mailOne(notice, deps);
  }
  return maxMailed;
}

/**
 * Claims the notice that has waited longest. The same write sets its next attempt, so no other worker claims it before.
 */
async function claim(now: Date): Promise<NoticeRecord | null> {
  // `$type` selects the partial index, which contains only dates.
  const waiting = await Notice.findOne({ mailAt: { $lte: now, $type: 'date' } })
    .sort({ mailAt: 1 })
    .lean<NoticeRecord>();
  if (!waiting) return null;
  const { _id, mailAt, mailRounds } = waiting;
  const delayMs = retryDelaysMs[mailRounds];
  const next = delayMs === undefined ? null : plusMs(now, delayMs);
  const { modifiedCount } = await Notice.updateOne({ _id, mailAt }, { mailAt: next, mailRounds: mailRounds + 1 });
  // Another worker claimed it. The next call looks again.
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
      // Log only the error code: the server's text repeats the address.
      log.warn({ noticeId, kind, code: (error as { code?: unknown }).code }, 'notice not mailed');
    }
  }
  if (failedCount === 0) await Notice.updateOne({ _id: noticeId }, { mailedAt: clock.now(), mailAt: null });
}
