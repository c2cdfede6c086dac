import { plusMs } from '#common/clock.ts';
import { conflict } from '#common/errors.ts';
import { type MailStatus, mailStatuses } from '../model/mail-status.ts';

/** `isRefunded`: the share of the item goes back to the wallet. */
type Transition = { from: MailStatus; to: MailStatus; by: 'step' | 'jump'; isRefunded?: true };

/** All allowed transitions of an item, the same in the sandbox and live. */
export const transitions: readonly Transition[] = [
  { from: 'queued', to: 'printed', by: 'step' },
  { from: 'queued', to: 'posted', by: 'jump' },
  { from: 'queued', to: 'delivered', by: 'jump' },
  { from: 'queued', to: 'failed', by: 'jump', isRefunded: true },
  { from: 'printed', to: 'posted', by: 'step' },
  { from: 'printed', to: 'delivered', by: 'jump' },
  { from: 'printed', to: 'failed', by: 'jump', isRefunded: true },
  { from: 'posted', to: 'delivered', by: 'step' },
  { from: 'posted', to: 'failed', by: 'jump', isRefunded: true },
];

/** Returns the transition of an item: one step ahead when `target` is absent, else to `target`. Null: there is none. */
export function findTransition(status: MailStatus, target?: MailStatus): Transition | null {
  const open = transitions.filter(({ from }) => from === status);
  return open.find(({ to, by }) => (target ? to === target : by === 'step')) ?? null;
}

/**
 * Returns the status of a mail job: that of its slowest item that has not failed, `failed` when all have failed.
 */
export function statusOfItems(items: readonly { status: MailStatus }[]): MailStatus {
  const slowest = items.reduce(
    (least, { status }) => Math.min(least, mailStatuses.indexOf(status)),
    mailStatuses.indexOf('failed'),
  );
  return mailStatuses[slowest] ?? 'failed';
}

/**
 * Returns the next status after `status`: one step ahead when `target` is absent, else `target`. Throws CONFLICT when
 * there is no such transition: the status is final, or `target` is not ahead of it.
 */
export function nextStatus(status: MailStatus, target?: MailStatus): MailStatus {
  const move = findTransition(status, target);
  if (!move) {
    const message = target
      ? `A mail job that is ${status} cannot become ${target}.`
      : `A mail job that is ${status} goes no further.`;
    throw conflict(message);
  }
  return move.to;
}

/** Returns whether no transition leaves a status. */
export function isFinal(status: MailStatus): boolean {
  return transitions.every(({ from }) => from !== status);
}

/**
 * From posting a registered letter until no report about it is expected any more: 60 days. The post keeps one for about
 * two weeks, and reports within weeks that it was delivered or goes back, also from abroad.
 */
export const unreportedMs = 60 * 24 * 60 * 60 * 1000;

type Settling = {
  status: MailStatus;
  serviceType: string;
  items: readonly { status: MailStatus; returned?: unknown }[];
  postedAt: Date | null;
  clock?: unknown;
};

/**
 * Returns from when on nothing more is expected of a job, as it is at `at`: from `at` on when its status is final, or it
 * is posted, and it is not registered, or each of its copies has failed, was delivered or came back. Other registered
 * letters settle 60 days after they are posted. Null: it is open. A test clock reports on all its letters in time.
 */
export function settlesAt({ status, serviceType, items, postedAt, clock }: Settling, at: Date): Date | null {
  if (isFinal(status)) return at;
  if (status !== 'posted') return null;
  if (serviceType !== 'registered' || items.every((item) => isFinal(item.status) || item.returned)) return at;
  return clock ? null : plusMs(postedAt ?? at, unreportedMs);
}

/** Returns whether nothing more is expected of a job at `at`: see `settlesAt`. */
export function isSettled(job: Settling, at: Date): boolean {
  const from = settlesAt(job, at);
  return from !== null && from <= at;
}
