// Level: unit
import { createRequire } from 'node:module';
import type Timers from 'node:timers';
import type TimerPromises from 'node:timers/promises';
import { describe, eventually, expect, test } from './jest.ts';
import { useStandingTime } from './standing-time.ts';

const require = createRequire(import.meta.url);
const timers: typeof Timers = require('node:timers');
const timerPromises: typeof TimerPromises = require('node:timers/promises');

describe('a standing time', () => {
  const { run, advance } = useStandingTime();

  test('timers of what runs in it wait until it is advanced, others fire', async () => {
    const fired: string[] = [];
    run(() => setTimeout(() => fired.push('inside'), 5));
    setTimeout(() => fired.push('outside'), 10);
    await eventually(() => expect(fired).toEqual(['outside']));
    await advance(5);
    expect(fired).toEqual(['outside', 'inside']);
  });

  test('timers that a CommonJS package takes from the modules fire', async () => {
    const fired: string[] = [];
    const cleared = timers.setTimeout(() => fired.push('cleared'), 1);
    timers.clearTimeout(cleared);
    timers.setTimeout(() => fired.push('timeout'), 1);
    const interval = timers.setInterval(() => {
      fired.push('interval');
      timers.clearInterval(interval);
    }, 2);
    void timerPromises.setTimeout(1).then(() => fired.push('promise'));
    await eventually(() => expect(fired.sort()).toEqual(['interval', 'promise', 'timeout']));
  });
});
