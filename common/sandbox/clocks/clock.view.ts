import { z } from 'zod';
import { CreatedBy, type CreatedByViewer, toCreatedBy } from '#common/audit/created-by.ts';
import type { SandboxClockRecord } from './sandbox-clock.model.ts';

const Moment = z.iso.datetime();

/** A test clock in answers. */
export const SandboxClockView = z
  .object({
    clockId: z.string(),
    now: Moment.describe('The time of its letters.'),
    status: z.enum(['ready', 'advancing']),
    target: Moment.nullable().describe('Where it is advancing to; null when it is ready.'),
    letterCount: z.int().describe('Letters that joined it.'),
    deletesAt: Moment.describe('When it is deleted by itself.'),
    createdBy: CreatedBy,
    createdAt: Moment,
  })
  .meta({ id: 'SandboxClock' });
export type SandboxClockView = z.infer<typeof SandboxClockView>;

export function toClockView(clock: SandboxClockRecord, viewer: CreatedByViewer): SandboxClockView {
  const { _id: clockId, now, target, letterCount, deletesAt, createdAt } = clock;
  return {
    clockId,
    now: now.toISOString(),
    status: target ? 'advancing' : 'ready',
    target: target?.toISOString() ?? null,
    letterCount,
    deletesAt: deletesAt.toISOString(),
    createdBy: toCreatedBy(clock, viewer),
    createdAt: createdAt.toISOString(),
  };
}
