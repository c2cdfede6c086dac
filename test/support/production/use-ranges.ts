import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import type { MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import { createLog } from '#common/platform/process/log.ts';
import { addTrackingRange } from '#common/production/tracking/manage-ranges.ts';
import { formatS10 } from '#common/production/tracking/s10-number.ts';
import { TrackingRange, type TrackingRangeRecord } from '#common/production/tracking/tracking-range.model.ts';
import { beforeEach, standingClock } from '../jest.ts';
import { aRequestAddress } from '../product/customer.ts';
import { startWorld } from '../product/world.ts';
import { startPressScene } from './press-scene.ts';

const by = { kind: 'cli', id: 'operator' } as const;
const country = 'XX';

/** Registered letters and ranges of numbers for them. Each test has an indicator of its own, and days of its own. */
export function useRanges() {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  const warnings: Record<string, unknown>[] = [];
  const log = createLog('test', 'warn', { write: (line) => void warnings.push(JSON.parse(line)) });

  let indicator = 'RA';
  beforeEach(() => {
    clock.set(new Date(clock.now().getTime() + 7 * 24 * 3_600_000));
    indicator = `R${String.fromCharCode(indicator.charCodeAt(1) + 1)}`;
    warnings.length = 0;
  });

  async function addRange(firstSerial: number, lastSerial: number, changes: Partial<TrackingRangeRecord> = {}) {
    const range = { indicator, country, firstSerial, lastSerial, automaticZones: [], note: null, ...changes };
    return await addTrackingRange(range, by, clock.now());
  }
  const number = (serial: number) => formatS10({ indicator, country }, serial);
  const context = () => ({ from: { indicator }, by, toldBy: 'operator', clock, log }) as const;

  /** A letter in a batch, registered unless the fields say otherwise. */
  async function aLetter(count = 1, fields: Record<string, unknown> = {}): Promise<MailJobRecord> {
    const recipients = Array.from({ length: count }, (_, index) => aRequestAddress({ name: `Reader ${index}` }));
    const { _id } = await scene.sendRendered({ serviceType: 'registered', recipients, ...fields });
    return await scene.bringToPress(_id);
  }
  const idsOf = ({ items }: MailJobRecord) => items.map(({ itemId }) => itemId) as [string, ...string[]];
  const numbersOf = async (id: string) => (await scene.read(id)).items.map(({ tracking }) => tracking?.number ?? null);
  const nextOf = async (rangeId: string) => (await TrackingRange.findById(rangeId).orFail().lean()).nextSerial;
  const move = async ({ _id: mailJobId }: MailJobRecord, itemIds: string[], target: MailStatus) => {
    const failure = { code: 'PRINT_FAILED', message: 'The paper tore.' } as const;
    const failing = target === 'failed' ? { failure } : {};
    return await advanceItems({ mailJobId, itemIds, target, by: 'press', nextStepDelayS: 0, ...failing }, clock.now());
  };

  return {
    ...{
      world,
      scene,
      clock,
      warnings,
      by,
      country,
      addRange,
      number,
      context,
      aLetter,
      idsOf,
      numbersOf,
      nextOf,
      move,
    },
    /** The indicator of the test that runs. */
    indicator: () => indicator,
  };
}
