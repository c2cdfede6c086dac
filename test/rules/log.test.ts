import { describe, expect, test } from '@jest/globals';
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
});
