// Level: long
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, startNode } from '../support/processes/process-control.ts';

const soak = join(import.meta.dirname, '../../scripts/soak.ts');
/** A low rate, so that a busy machine carries it too. Half a minute has one fault, chosen by the seed: kill -9 of an API. */
const short = ['--minutes', '0.75', '--seed', '4', '--rate', '1'];

describe('the soak', () => {
  afterEach(killStartedPrograms);

  test.each([
    [['--minutes', '0'], /must be a number above 0/],
    [['--seed', 'x'], /must be a number above 0/],
    [['--hours', '1'], /unknown option/],
  ] as const)('%j is refused before anything starts', async (words, message) => {
    const program = startNode([soak, ...words]);
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(message);
  });
});

describe('a soak of 45 s', () => {
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  test('an installation whose API is killed under load keeps its promises', async () => {
    const file = join(await makeFolder(), 'soak.md');
    const program = startNode([soak, ...short, '--out', file]);
    const code = await program.ended;
    expect({ code, output: program.output() }).toMatchObject({ code: 0 });
    const text = await readFile(file, 'utf8');
    expect(text).toContain('| Violations | none |');
    expect(text).toMatch(/\| every letter is debited once, and the ledger adds up \| yes \| \d+ letters/);
    expect(text).toMatch(/\| api \|/);
  });
});
