import { byKey } from './shared-examples.ts';

export const clockPath = { id: 'clk_01m7ynaxr6fqa9hh2zy9myc868' };

export const aClock = {
  clockId: clockPath.id,
  now: '2026-03-02T08:00:00.000Z',
  status: 'ready',
  target: null,
  letterCount: 1,
  deletesAt: '2026-04-01T07:00:00.000Z',
  ...byKey,
  createdAt: '2026-03-02T07:00:00.000Z',
} as const;

export const anAdvancingClock = { ...aClock, status: 'advancing', target: '2026-03-20T08:00:00.000Z' } as const;
