import mongoose from 'mongoose';
import type { Registry } from 'prom-client';
import type { Clock } from '#common/clock.ts';
import { registerGauge } from '../process/metrics.ts';

/** Registers how far the clock of this process is from that of the database server: due times go by the former. */
export function registerClockOffset(registry: Registry, clock: Clock): void {
  const offset = {
    name: 'clock_offset_seconds',
    help: 'Clock of this process minus clock of the database server, up to half a round trip.',
  };
  registerGauge(registry, offset, async () => {
    const beforeMs = clock.now().getTime();
    const { localTime } = (await mongoose.connection.db?.command({ hello: 1 })) ?? {};
    if (!(localTime instanceof Date)) return null;
    const halfwayMs = (beforeMs + clock.now().getTime()) / 2;
    return (halfwayMs - localTime.getTime()) / 1_000;
  });
}
