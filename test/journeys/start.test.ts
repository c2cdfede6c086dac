// Level: push
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProgramEnd } from '#scripts/local-servers/keeper/keeper-protocol.ts';
import type { KeptProcess } from '#scripts/local-servers/keeper/start-keeper.ts';
import { followProgram } from '#scripts/supervisor/program-log.ts';
import { type Supervised, supervise } from '#scripts/supervisor/supervise.ts';
import { afterEach, describe, eventually, expect, test, useTempFolders } from '../support/jest.ts';
import { isAlive, killStartedPrograms } from '../support/processes/process-control.ts';
import {
  fetchHealth,
  findServicePorts,
  readProcesses,
  serviceProcesses,
  startService,
} from '../support/product/service-process.ts';

const logLine = (level: string, msg: string, more = {}) => `${JSON.stringify({ level, ...more, msg })}\n`;
const backOffMs = [1, 1, 1, 1];
const crash: ProgramEnd = { code: 3, signal: null };

describe('npm start', () => {
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  test('the first start runs all processes with demonstration data, and SIGTERM ends them', async () => {
    const dataDir = join(await makeFolder(), 'data');
    const ports = await findServicePorts();
    const first = startService({ DATA_DIR: dataDir, ...ports });
    await first.waitForLine(/^ready$/);
    expect(await readFile(join(dataDir, 'demo.env'), 'utf8')).toMatch(/^BLUEJAY_TEST_KEY=bjk_test/m);
    expect(await fetchHealth(ports.METRICS_PORT)).toBe(200);
    const processes = await readProcesses(dataDir);
    first.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(Object.keys(processes).sort()).toEqual(serviceProcesses);
    expect(await readdir(join(dataDir, 'press'))).toEqual(expect.arrayContaining(['out', 'results']));
    expect(Object.values(processes).filter(isAlive)).toEqual([]);
    expect(first.standardOutput().match(/^ready$/gm)).toHaveLength(1);
  });
});

describe('the output of a program under npm start', () => {
  const makeFolder = useTempFolders();

  async function follow() {
    const file = join(await makeFolder(), 'api.log');
    const output = new PassThrough();
    const shown: string[] = [];
    const log = followProgram(output, file, (line) => shown.push(line));
    return { file, output, shown, log };
  }

  test('warnings and errors are shown on the terminal, and every line is in the file', async () => {
    const { file, output, shown, log } = await follow();
    const ready = log.waitUntilReady();
    output.write(`${logLine('warn', 'at the start')}rea`);
    output.write('dy\n');
    await ready;
    output.write(logLine('info', 'quiet'));
    output.write(logLine('warn', 'careful'));
    output.write(logLine('error', 'not sent', { err: { message: 'socket closed\n    at once' } }));
    output.write('no JSON at all\n');
    const lines = ['at the start', 'quiet', 'careful', 'not sent', 'no JSON at all'];
    const readFileLines = async () => expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(5);
    await eventually(readFileLines);
    for (const line of lines) expect(await readFile(file, 'utf8')).toContain(line);
    expect(shown).toEqual(['warn: careful', 'error: not sent (socket closed)']);
    expect(log.lastLines().at(-1)).toBe('no JSON at all');
  });

  test('of 1,000 warnings a minute the terminal shows 20 and the name of the file', async () => {
    const { file, output, shown, log } = await follow();
    const ready = log.waitUntilReady();
    output.write('ready\n');
    await ready;
    output.end(logLine('warn', 'again').repeat(1_000));
    await eventually(() => expect(log.lastLines()).toHaveLength(20));
    await eventually(() => expect(shown.at(-1)).toBe(`… more of these are in ${file}`));
    expect(shown).toHaveLength(20);
  });
});

/** Returns a program whose runs end as listed. After the list it keeps running. */
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

describe('the supervision of a program', () => {
  /** Starts the supervision, and collects what it reports. */
  function watch(api: Supervised) {
    const lines: string[] = [];
    const stopping = new AbortController();
    const report = (line: string) => void lines.push(line);
    return { lines, stopping, supervised: supervise(api, { report, stopping: stopping.signal, backOffMs }) };
  }

  test('a program that ends once is restarted, and both are reported', async () => {
    const api = program([{ code: null, signal: 'SIGKILL' }]);
    const { lines, stopping, supervised } = watch(api);
    await eventually(() => expect(lines).toHaveLength(2));
    expect(lines).toEqual([
      'The API was ended by SIGKILL. Its last output:\n  its last line',
      'The API has restarted.',
    ]);
    expect(api.lives()).toBe(2);
    stopping.abort();
    await Promise.race([supervised, sleep(0)]);
  });

  test('a program that ends at every start is abandoned after five ends in a row', async () => {
    const api = program([crash, crash, crash, crash, crash, crash, crash]);
    await expect(watch(api).supervised).rejects.toThrow(
      'The API ended with exit code 3 5 times in a row. Fix what its last output reports, then start again.',
    );
    expect(api.lives()).toBe(5);
  });

  test('a failed restart counts as an end', async () => {
    const api = { ...program([crash]), restart: () => Promise.reject(new Error('not ready')) };
    await expect(watch(api).supervised).rejects.toThrow('The API did not come up 5 times in a row.');
  });

  test('a program that ends while everything stops is neither restarted nor reported', async () => {
    const end = Promise.withResolvers<ProgramEnd>();
    const api = { ...program([]), process: { pid: 1, ended: end.promise, stop: async () => {} } };
    const { lines, stopping, supervised } = watch(api);
    stopping.abort();
    end.resolve({ code: 0, signal: null });
    await supervised;
    expect(lines).toEqual([]);
    expect(api.lives()).toBe(1);
  });
});
