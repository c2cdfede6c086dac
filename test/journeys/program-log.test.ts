import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { followProgram } from '../../scripts/supervisor/program-log.ts';
import { eventually } from '../support/eventually.ts';
import { useTempFolders } from '../support/temp-folder.ts';

const logLine = (level: string, msg: string, more = {}) => `${JSON.stringify({ level, ...more, msg })}\n`;

describe('what npm start shows of a program', () => {
  const makeFolder = useTempFolders();

  async function follow() {
    const file = join(await makeFolder(), 'api.log');
    const output = new PassThrough();
    const shown: string[] = [];
    const log = followProgram(output, file, (line) => shown.push(line));
    return { file, output, shown, log };
  }

  test('given a program that serves, when it logs, then warnings and errors are shown and everything is in the file', async () => {
    // given
    const { file, output, shown, log } = await follow();
    const ready = log.waitUntilReady();
    output.write(`${logLine('warn', 'at the start')}rea`);
    output.write('dy\n');
    await ready;
    // when
    output.write(logLine('info', 'quiet'));
    output.write(logLine('warn', 'careful'));
    output.write(logLine('error', 'not sent', { err: { message: 'socket closed\n    at once' } }));
    output.write('no JSON at all\n');
    // then
    const lines = ['at the start', 'quiet', 'careful', 'not sent', 'no JSON at all'];
    const readFileLines = async () => expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(5);
    await eventually(readFileLines, { withinMs: 2_000 });
    for (const line of lines) expect(await readFile(file, 'utf8')).toContain(line);
    expect(shown).toEqual(['warn: careful', 'error: not sent (socket closed)']);
    expect(log.lastLines().at(-1)).toBe('no JSON at all');
  });

  test('given a program that warns without end, when it is followed, then the terminal stays readable and names the file', async () => {
    // given
    const { file, output, shown, log } = await follow();
    const ready = log.waitUntilReady();
    output.write('ready\n');
    await ready;
    // when
    output.end(logLine('warn', 'again').repeat(1_000));
    // then
    await eventually(() => expect(log.lastLines()).toHaveLength(20), { withinMs: 2_000 });
    await eventually(() => expect(shown.at(-1)).toBe(`… more of these are in ${file}`), { withinMs: 2_000 });
    expect(shown).toHaveLength(20);
  });
});
