// Level: unit
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { limitsForFile } from '#common/documents/isolation/child-limits.ts';
import { createRenderSlots, defaultSlotSettings } from '#common/documents/isolation/render-slots.ts';
import { runInSlot } from '#common/documents/isolation/run-in-slot.ts';
import { describe, expect, test, useTempFolders } from '../support/jest.ts';

const entryPath = fileURLToPath(new URL('../support/documents/misbehaving.child.ts', import.meta.url));

describe('a child process in a slot that reaches its wall time limit', () => {
  const newFolder = useTempFolders();

  async function run(how: string) {
    const folder = await newFolder();
    const slot = await createRenderSlots(defaultSlotSettings).acquire(new AbortController().signal);
    const lines: string[] = [];
    const word = join(folder, 'has-hung');
    const hangCount = () => statSync(word, { throwIfNoEntry: false })?.size ?? 0;
    const limits = limitsForFile(1);
    const end = await runInSlot(slot, {
      program: { entryPath, permissions: 'off' },
      args: [how, word],
      readable: [],
      parentFolder: folder,
      limits,
      // The time is over as soon as a child hangs.
      now: () => performance.now() + hangCount() * (limits.wallMs + 1),
      signal: new AbortController().signal,
      log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
    });
    return { end, lines };
  }
  const warning = 'document process waited without computing until its time was over, running it again';

  test('is run again when it did not compute, and its second result counts', async () => {
    expect(await run('hangOnce')).toMatchObject({ end: { kind: 'result' }, lines: [warning] });
  });

  test('fails the document when it happens a second time', async () => {
    expect(await run('hang')).toMatchObject({ end: { kind: 'fault', fault: 'out_of_time' }, lines: [warning] });
  });
});
