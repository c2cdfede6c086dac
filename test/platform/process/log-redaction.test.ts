// Level: unit
import { createLog, type Log } from '#common/platform/process/log.ts';
import { describe, expect, test } from '#test/support/jest.ts';

/** Returns the line that `act` logs. */
function lineOf(act: (log: Log) => void): string {
  let lines = '';
  const write = (line: string) => {
    lines += line;
  };
  act(createLog('test', 'info', { write }));
  return lines;
}

describe('a line of the log', () => {
  test('an error that carries a document is logged with message and code, without the document', () => {
    const document = { line1: 'Secret Street 1' };
    const fields = { code: 11_000, op: document, writeErrors: [{ err: { op: document } }] };
    const cause = Object.assign(new Error('E11000 duplicate key dup key: { name: "Jane" }'), fields);
    const line = lineOf((log) => log.error({ err: new Error('outer', { cause }) }, 'failed'));
    expect(line).not.toMatch(/Secret Street|Jane/);
    expect(JSON.parse(line)).toMatchObject({ level: 'error', err: { message: 'outer', cause: { code: 11_000 } } });
  });

  const redacted = ['authorization', 'x-api-key', 'password', 'secret', 'line1', 'recipients'];
  test.each(redacted)('the value of a field named %s is redacted at any depth', (field) => {
    const line = lineOf((log) => log.info({ [field]: 'hush', a: { b: { [field]: 'hush' } } }, 'x'));
    expect(line).not.toContain('hush');
    expect(JSON.parse(line)).toMatchObject({ [field]: '[redacted]', a: { b: { [field]: '[redacted]' } } });
  });
});
