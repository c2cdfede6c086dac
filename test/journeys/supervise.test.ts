import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { ProgramEnd } from '../../scripts/local-servers/keeper-protocol.ts';
import type { KeptProcess } from '../../scripts/local-servers/start-keeper.ts';
import { type Supervised, supervise } from '../../scripts/supervisor/supervise.ts';
import { eventually } from '../support/eventually.ts';

const backOffMs = [1, 1, 1, 1];

/** A program that ends as this list says, one entry a life; after the list it lives on. */
function program(ends: ProgramEnd[]): Supervised & { lives(): number } {
  let lives = 0;
  const live = (): KeptProcess => {
    lives += 1;
    const end = ends.shift();
    return { pid: 1, ended: end ? Promise.resolve(end) : new Promise(() => {}), stop: async () => {} };
  };
  const restart = async () => live();
  return { name: 'The API', process: live(), restart, lastLines: () => ['its last line'], lives: () => lives };
}

const crash: ProgramEnd = { code: 3, signal: null };

describe('keeping a program alive', () => {
  test('given a program that dies once, when it is supervised, then it runs again and both are told', async () => {
    // given
    const api = program([{ code: null, signal: 'SIGKILL' }]);
    const lines: string[] = [];
    const stopping = new AbortController();
    // when
    const supervised = supervise(api, { report: (line) => lines.push(line), stopping: stopping.signal, backOffMs });
    // then
    await eventually(() => expect(lines).toHaveLength(2), { withinMs: 2_000 });
    expect(lines).toEqual(['The API was ended by SIGKILL. Its last words:\n  its last line', 'The API runs again.']);
    expect(api.lives()).toBe(2);
    stopping.abort();
    await Promise.race([supervised, pause(0)]);
  });

  test('given a program that dies at each start, when it is supervised, then it is given up after five deaths in a row', async () => {
    // given
    const api = program([crash, crash, crash, crash, crash, crash, crash]);
    const stopping = new AbortController();
    // when
    const supervised = supervise(api, { report: () => {}, stopping: stopping.signal, backOffMs });
    // then
    await expect(supervised).rejects.toThrow(
      'The API ended with exit code 3 5 times in a row. Mend what its last words tell, then start again.',
    );
    expect(api.lives()).toBe(5);
  });

  test('given a restart that fails, when the program is supervised, then that counts as a death', async () => {
    // given
    const api = { ...program([crash]), restart: () => Promise.reject(new Error('not ready')) };
    const stopping = new AbortController();
    // when
    const supervised = supervise(api, { report: () => {}, stopping: stopping.signal, backOffMs });
    // then
    await expect(supervised).rejects.toThrow('The API did not come up 5 times in a row.');
  });

  test('given that everything is being stopped, when the program ends, then it stays ended and nothing is told', async () => {
    // given
    const lines: string[] = [];
    const end = Promise.withResolvers<ProgramEnd>();
    const api = { ...program([]), process: { pid: 1, ended: end.promise, stop: async () => {} } };
    const stopping = new AbortController();
    const supervised = supervise(api, { report: (line) => lines.push(line), stopping: stopping.signal, backOffMs });
    // when
    stopping.abort();
    end.resolve({ code: 0, signal: null });
    await supervised;
    // then
    expect(lines).toEqual([]);
    expect(api.lives()).toBe(1);
  });
});
