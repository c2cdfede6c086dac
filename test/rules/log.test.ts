import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createBatchedOutput } from '../../common/platform/batched-output.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/process-control.ts';

const program = (statement: string) => [
  '--input-type=module',
  '-e',
  `import { createLog } from './common/platform/log.ts'; const log = createLog('test', 'info'); ${statement}`,
];

/** Logs in a process of its own, since the log writes to standard output. */
async function logged(statement: string): Promise<string> {
  const logger = startNode(program(statement));
  expect(await logger.ended).toBe(0);
  return logger.standardOutput();
}

describe('the log', () => {
  test('given an error that carries a whole document, when it is logged, then its message and code are there and the document is not', async () => {
    const line = await logged(`
      const error = Object.assign(new Error('E11000 duplicate key dup key: { name: "Jane" }'), { code: 11000, op: { line1: 'Secret Street 1' }, writeErrors: [{ err: { op: { line1: 'Secret Street 1' } } }] });
      log.error({ err: new Error('outer', { cause: error }) }, 'failed');`);
    expect(line).not.toMatch(/Secret Street|Jane/);
    expect(JSON.parse(line)).toMatchObject({ level: 'error', err: { message: 'outer', cause: { code: 11_000 } } });
  });

  test.each(['authorization', 'x-api-key', 'password', 'secret', 'line1', 'recipients'])(
    'given a field named %s, at the top or deeper, when it is logged, then its value is not there',
    async (field) => {
      const line = await logged(`log.info({ '${field}': 'hush', a: { b: { '${field}': 'hush' } } }, 'x');`);
      expect(line).not.toContain('hush');
      expect(line).toContain('[redacted]');
    },
  );

  test.each([
    ['ends by itself', ''],
    ['exits at once', 'process.exit(0);'],
    [
      'exits because of what nobody caught',
      "process.on('uncaughtException', () => process.exit(0)); throw new Error();",
    ],
  ])('given lines of one moment, when the process %s, then each is there, in order', async (_how, end) => {
    const lines = await logged(`for (const n of [1, 2, 3]) log.info({ n }, 'counted'); ${end}`);
    const numbers = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).n);
    expect(numbers).toEqual([1, 2, 3]);
  });
});

describe('whoever reads the log', () => {
  const started = (statement: string) =>
    spawn(process.execPath, program(statement), { cwd: join(import.meta.dirname, '../..') });

  test('given a reader who is gone, when more is logged, then the process goes on without him', async () => {
    const logger = started(`
      log.info('first');
      process.stdin.once('data', () => {
        log.info('nobody reads this');
        log.error('nor this');
        setTimeout(() => process.exit(7), 50);
      });`);
    await once(logger.stdout, 'data');
    logger.stdout.destroy();
    await once(logger.stdout, 'close');
    logger.stdin.write('go');
    expect(await once(logger, 'exit')).toEqual([7, null]);
  });

  test('given a reader who is slow, when more is logged than a pipe holds, then each line comes, in order', async () => {
    const count = 20_000;
    const logger = started(`for (let n = 0; n < ${count}; n += 1) log.info({ n }, 'counted');`);
    const numbers: number[] = [];
    let text = '';
    for await (const chunk of logger.stdout.setEncoding('utf8')) {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      numbers.push(...lines.map((line) => JSON.parse(line).n));
      // The pipe is full meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(numbers).toEqual(Array.from({ length: count }, (_, n) => n));
  });
});

describe('the output of the log', () => {
  const [first, second] = ['{"level":"info","n":1}\n', '{"level":"debug","n":2}\n'];
  const recorded = () => {
    const pieces: string[] = [];
    return { pieces, output: createBatchedOutput({ write: (piece) => void pieces.push(piece) }) };
  };

  test('given lines of one moment, when nothing else comes, then they are written in one piece', async () => {
    const { pieces, output } = recorded();
    output.write(first);
    output.write(second);
    expect(pieces).toEqual([]);
    await eventually(() => expect(pieces).toEqual([first + second]), { withinMs: 1_000 });
  });

  test.each(['warn', 'error', 'fatal'])(
    'given lines that wait, when one of level %s comes, then all go at once',
    (level) => {
      const { pieces, output } = recorded();
      output.write(first);
      const urgent = `{"level":"${level}"}\n`;
      output.write(urgent);
      output.write(second);
      expect(pieces).toEqual([first + urgent]);
    },
  );

  test('given lines without end, when half a megabyte waits, then it is written at once', () => {
    const { pieces, output } = recorded();
    const long = `{"level":"info","text":"${'c'.repeat(600_000)}"}\n`;
    output.write(long);
    expect(pieces).toEqual([long]);
  });
});
