// Level: ci
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import { createWarmMembers, type Member, type WarmMembersOptions } from '#common/documents/warm/warm-members.ts';
import { createLog } from '#common/platform/process/log.ts';
import { onePage, packedPdf, rawPdf, rawStream, textPdf } from '#test/support/documents/build-pdf.ts';
import { scriptedPdf } from '#test/support/documents/hostile-pdfs.ts';
import { patientLimits, pdf, useRendering, useWarmPool } from '#test/support/documents/use-rendering.ts';
import { afterEach, describe, eventually, expect, test } from '#test/support/jest.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../../support/documents/${name}`, import.meta.url));
const script = pathOf('misbehaving.script.ts');
const log = createLog('test', 'silent');
const patience = { maxWaitMs: 120_000, fileLimits: patientLimits };
/** One child, without a spare. */
const one = { maxChildren: 1, keepsSpare: false, sharing: 'everyone', ...patience, log } as const;
const { signal } = new AbortController();

describe('rendering with warm processes', () => {
  const registry = new Registry();
  const warmPool = useWarmPool({ registry });
  const render = useRendering();
  const countOf = async (outcome: string) =>
    (await registry.getMetricsAsJSON()).flatMap(({ values }) => values).find(({ labels }) => labels.outcome === outcome)
      ?.value ?? 0;

  test('the print file has the bytes of a process of its own, whatever file came before', async () => {
    const files = [
      await textPdf(['one']),
      await textPdf(['one', 'two', 'three']),
      scriptedPdf(),
      packedPdf(onePage() as Record<number, string>),
      rawPdf({ objects: onePage({ content: rawStream('', '1 0 0 rg 100 100 50 50 re f') }) }),
    ];
    const pages = [1, 3, 1, 1, 1];
    const hashOf = async (i: number, options: object) =>
      (await render([pdf(files[i] ?? Buffer.alloc(0))], { expectedPages: pages[i] ?? 1, ...options })).printFile
        ?.sha256;
    const own = await Promise.all(files.map((_, i) => hashOf(i, { warmPool: null })));
    expect(own.every((hash) => typeof hash === 'string')).toBe(true);
    for (const i of [0, 1, 2, 3, 4, 4, 3, 1, 2, 0]) expect([i, await hashOf(i, { warmPool })]).toEqual([i, own[i]]);
    // Each is rebuilt and then measured.
    expect(await countOf('done')).toBe(20);
  });

  test('several files are merged to the bytes of processes of their own, a repeated one once', async () => {
    const files = [pdf(await textPdf(['one'])), pdf(scriptedPdf()), pdf(await textPdf(['two', 'three']))];
    const order = { order: [0, 1, 2, 0], expectedPages: 5 };
    const done = Number(await countOf('done'));
    const { printFile: warm } = await render(files, { ...order, warmPool });
    // Three files, their merge, and its measuring.
    expect(await countOf('done')).toBe(done + 5);
    const { printFile: own } = await render(files, { ...order, warmPool: null });
    expect([warm?.sha256, warm?.pageCount]).toEqual([own?.sha256, 5]);
  });

  test('a file that it refuses is opened again in a process of its own, whose verdict counts', async () => {
    const refused = await countOf('refused');
    const { error } = await render([pdf(Buffer.from('%PDF-1.7 nothing'))], { warmPool });
    expect(error).toMatchObject({ fault: 'damaged_pdf', fileIndex: 0 });
    expect(await countOf('refused')).toBe(Number(refused) + 1);
  });
});

describe('the processes of a pool', () => {
  let close = () => {};
  afterEach(() => close());

  function createMembers(options: Partial<WarmMembersOptions> = {}) {
    const members = createWarmMembers({ ...one, ...options });
    close = members.close;
    /** Passes a file through, and returns the process that had it. */
    async function pass(organizationId: string): Promise<Member> {
      const member = await members.acquire(organizationId);
      await member?.child.ask({ operation: 'rebuildPdf', bytes: rawPdf({ objects: onePage() }) }, signal);
      if (!member) throw new Error('No process is free.');
      members.release(member);
      return member;
    }
    return { ...members, pass };
  }

  test('one process opens files of all organizations', async () => {
    const { pass } = createMembers();
    const first = await pass('a');
    expect([(await pass('b')) === first, (await pass('a')) === first]).toEqual([true, true]);
  });

  test('with `organization`, no process opens files of two organizations', async () => {
    const { pass } = createMembers({ sharing: 'organization' });
    const seen = new Map<Member, Set<string>>();
    for (const organizationId of ['a', 'b', 'a', 'c', 'b']) {
      const member = await pass(organizationId);
      seen.set(member, (seen.get(member) ?? new Set()).add(organizationId));
    }
    expect([...seen.values()].every((organizations) => organizations.size === 1)).toBe(true);
  });

  test('a process is replaced after its last file', async () => {
    const { pass } = createMembers({ maxFilesPerChild: 2 });
    const [first, second, third] = [await pass('a'), await pass('a'), await pass('a')];
    expect([second === first, first.child.isUsable, third === first]).toEqual([true, false, false]);
  });

  test('after a program that does not start, none is started for the next file', async () => {
    const warnings: string[] = [];
    const warning = createLog('test', 'warn', { write: (line) => warnings.push(line) });
    const members = createMembers({ programs: { program: script }, log: warning });
    expect(await members.acquire('a')).toBeNull();
    expect(await members.acquire('a')).toBeNull();
    expect(warnings.filter((line) => line.includes('warm document process not started'))).toHaveLength(1);
  });

  test('a file waits for a child for a limited time, and the child is there for the next one', async () => {
    const members = createMembers({ maxWaitMs: 1 });
    expect(await members.acquire('a')).toBeNull();
    await eventually(async () => expect(await members.acquire('a')).not.toBeNull());
  });

  test('no more children are started than allowed', async () => {
    const members = createMembers({ maxChildren: 2 });
    const taken = await Promise.all(['a', 'b', 'c', 'd'].map((organizationId) => members.acquire(organizationId)));
    expect(taken.filter((member) => member !== null)).toHaveLength(2);
    for (const member of taken) if (member) members.release(member);
  });

  test('a closed pool starts nothing and ends what is given back', async () => {
    const members = createMembers();
    const member = await members.acquire('a');
    members.close();
    expect(member?.child.isUsable).toBe(true);
    members.release(member!);
    expect(member?.child.isUsable).toBe(false);
    expect(await members.acquire('a')).toBeNull();
  });
});
