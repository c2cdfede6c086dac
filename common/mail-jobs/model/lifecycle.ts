import { AppError } from '#common/errors.ts';

export const mailStatuses = ['queued', 'printed', 'posted', 'delivered', 'failed'] as const;
export type MailStatus = (typeof mailStatuses)[number];

type Transition = { from: MailStatus; to: MailStatus; by: 'step' | 'jump' };

/** All allowed transitions, the same for sandbox and live jobs. */
export const transitions: readonly Transition[] = [
  { from: 'queued', to: 'printed', by: 'step' },
  { from: 'queued', to: 'posted', by: 'jump' },
  { from: 'queued', to: 'delivered', by: 'jump' },
  { from: 'queued', to: 'failed', by: 'jump' },
  { from: 'printed', to: 'posted', by: 'step' },
  { from: 'printed', to: 'delivered', by: 'jump' },
  { from: 'printed', to: 'failed', by: 'jump' },
  { from: 'posted', to: 'delivered', by: 'step' },
  { from: 'posted', to: 'failed', by: 'jump' },
];

/**
 * Returns the next status of a job: one step ahead when `target` is absent, else `target`. Throws CONFLICT when there
 * is no such transition: the job is final, or `target` is not ahead of it.
 */
export function nextStatus(status: MailStatus, target?: MailStatus): MailStatus {
  const open = transitions.filter(({ from }) => from === status);
  const move = open.find(({ to, by }) => (target ? to === target : by === 'step'));
  if (!move) {
    const message = target
      ? `A mail job that is ${status} cannot become ${target}.`
      : `A mail job that is ${status} goes no further.`;
    throw new AppError('CONFLICT', { message });
  }
  return move.to;
}

/** Returns whether no transition leaves a status. */
export function isFinal(status: MailStatus): boolean {
  return transitions.every(({ from }) => from !== status);
}
