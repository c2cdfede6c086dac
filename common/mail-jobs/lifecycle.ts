import { AppError } from '../errors.ts';

export const mailStatuses = ['queued', 'printed', 'posted', 'delivered', 'failed'] as const;
export type MailStatus = (typeof mailStatuses)[number];

type Transition = { from: MailStatus; to: MailStatus; by: 'step' | 'jump' };

/** Every legal move, the same for sandbox and live jobs. One that has no row cannot happen. */
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
 * Where a job goes next: one step when `target` is absent, straight to `target` otherwise.
 * Throws CONFLICT when no row leads there: the job is final, or the target is not ahead of it.
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

/** Whether nothing can happen to a job any more: no row leaves its status. */
export function isFinal(status: MailStatus): boolean {
  return transitions.every(({ from }) => from !== status);
}
