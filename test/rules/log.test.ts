import { describe, expect, test } from '@jest/globals';
import { createTurnOutput } from '../../common/platform/turn-output.ts';
import { startNode } from '../support/process-control.ts';

/** Logs in a process of its own, since the log writes to standard output. */
async function logged(statement: string): Promise<string> {
  const program = startNode([
    '--input-type=module',
    '-e',
    `import { createLog } from './common/platform/log.ts'; const log = createLog('test', 'info'); ${statement}`,
  ]);
  expect(await program.ended).toBe(0);
  return program.standardOutput();
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
  ])('given lines of one turn, when the process %s, then each is there, in order', async (_how, end) => {
    const lines = await logged(`for (const n of [1, 2, 3]) log.info({ n }, 'counted'); ${end}`);
    const numbers = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).n);
    expect(numbers).toEqual([1, 2, 3]);
  });

  test('given lines of one turn, when it is over, then they are written in one piece; and before, when they are long', async () => {
    // given
    const pieces: string[] = [];
    const output = createTurnOutput({ write: (piece) => void pieces.push(piece) });
    // when
    output.write('a\n');
    output.write('b\n');
    expect(pieces).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    // then
    expect(pieces).toEqual(['a\nb\n']);
    const long = `${'c'.repeat(600_000)}\n`;
    output.write(long);
    expect(pieces).toEqual(['a\nb\n', long]);
  });
});
