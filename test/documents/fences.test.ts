// Level: push
import { execFileSync, spawn } from 'node:child_process';
import { chmod, copyFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import { type FenceName, fenceNames } from '#common/config/variables.ts';
import { bundleProgram } from '#common/documents/isolation/bundle-program.ts';
import { buildChildCommand } from '#common/documents/isolation/child-command.ts';
import { type ChildLimits, limitsForFile } from '#common/documents/isolation/child-limits.ts';
import { requireFences } from '#common/documents/isolation/require-fences.ts';
import { createLog } from '#common/platform/process/log.ts';
import { describe, expect, test, testWith, useTempFolders } from '../support/jest.ts';

const entryPath = fileURLToPath(new URL('../support/documents/misbehaving.child.ts', import.meta.url));

/** A system without util-linux, such as macOS, where the shell sets the limits. */
const shellOnly = { prlimitPath: null, withoutNetwork: [], endedWithParent: [] };

describe('fences around document processes at start', () => {
  async function start(missing: FenceName[], isProduction: boolean, allowMissingFences: FenceName[] = []) {
    const registry = new Registry();
    const lines: { level: string; msg: string; fence: string; remedy: string }[] = [];
    const log = createLog('test', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) });
    const settings = { isProduction, allowMissingFences, registry, log };
    const error = await requireFences(settings, async () => missing).catch((thrown: Error) => thrown);
    return { message: error?.message, metrics: await registry.metrics(), lines };
  }

  test('document_fences is 1 for each present fence and 0 for each missing one', async () => {
    const { metrics } = await start(['network'], false);
    for (const fence of fenceNames) {
      expect(metrics).toContain(`document_fences{fence="${fence}"} ${fence === 'network' ? 0 : 1}`);
    }
  });

  test('each missing fence logs one warning with its name and remedy', async () => {
    const { lines, message } = await start(['network', 'memory'], false);
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'document fence missing', fence: 'network', remedy: expect.stringContaining('namespaces') },
      { level: 'warn', msg: 'document fence missing', fence: 'memory', remedy: expect.stringContaining('prlimit') },
    ]);
    expect(message).toBeUndefined();
  });

  test('production does not start without a fence, and the error says what to install or set', async () => {
    const { message, metrics } = await start(['network', 'environment'], true, ['network']);
    expect(message).toMatch(
      /^documents would be opened without these fences, which production requires:\n {2}environment: /,
    );
    expect(message).not.toContain('  network: ');
    expect(message).toContain('set ALLOW_MISSING_FENCES=network,environment.');
    expect(metrics).toContain('document_fences{fence="environment"} 0');
  });

  test('production starts without fences that are allowed by name, and still warns', async () => {
    const { message, lines } = await start(['network'], true, ['network']);
    expect([message, lines.length]).toEqual([undefined, 1]);
  });
});

describe('fences of a system that refuses namespaces', () => {
  const testAsRoot = testWith('root on Linux', process.platform === 'linux' && process.getuid?.() === 0);
  const makeFolder = useTempFolders();
  const root = join(import.meta.dirname, '../..');

  /** Runs the probe as in a container with default settings: without capabilities and without namespaces. */
  async function probe({ isNodeReadable }: { isNodeReadable: boolean }): Promise<FenceName[]> {
    const folder = await makeFolder();
    await chmod(folder, 0o755);
    const node = join(folder, 'node');
    await copyFile(process.execPath, node);
    await chmod(node, isNodeReadable ? 0o755 : 0o711);
    await copyFile(join(root, 'common/documents/isolation/fences.ts'), join(folder, 'fences.ts'));
    await copyFile(join(root, 'test/support/processes/missing-fences.program.ts'), join(folder, 'program.ts'));
    const refuse = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
    const drop = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs', '--'];
    const inside = ['unshare', '-r', '--', 'sh', '-c', refuse, 'sh', ...drop, node, join(folder, 'program.ts')];
    const asUser = ['--reuid=65534', '--regid=65534', '--clear-groups', '--', ...inside, join(folder, 'fences.ts')];
    return JSON.parse(
      execFileSync('setpriv', asUser, { encoding: 'utf8', cwd: folder, env: { PATH: '/usr/bin:/bin' } }),
    );
  }

  testAsRoot("the network is open, and the worker's environment is readable", async () => {
    expect(await probe({ isNodeReadable: true })).toEqual(['network', 'environment']);
  });

  testAsRoot("a node binary that its user cannot read protects the worker's environment", async () => {
    expect(await probe({ isNodeReadable: false })).toEqual(['network']);
  });
});

describe('child limits set by the shell, without prlimit', () => {
  const newFolder = useTempFolders();

  async function run(how: string, limits: Partial<ChildLimits> = {}) {
    const folder = await newFolder();
    const folders = { readable: [], writable: folder };
    const command = buildChildCommand('off', [how], { ...limitsForFile(1), ...limits }, shellOnly, folders);
    const child = spawn(command.file, command.args, { cwd: folder, env: {}, stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.end(await bundleProgram(entryPath));
    const end = await new Promise<{ code: number | null; signal: string | null }>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    return { ...end, folder };
  }

  test('the system kills a child that exceeds its CPU limit', async () => {
    const { code, signal } = await run('spin', { cpuS: 1 });
    expect(code).toBeNull();
    expect(['SIGXCPU', 'SIGKILL']).toContain(signal);
  });

  test('a file that a child writes cannot grow beyond the file size limit', async () => {
    const { folder } = await run('write1GB', { fileBytes: 5_120_000 });
    expect((await stat(join(folder, 'large'))).size).toBe(5_120_000);
    expect(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))).toMatchObject({ fault: 'damaged_pdf' });
  });

  test('a child within its limits succeeds', async () => {
    expect(await run('succeed')).toMatchObject({ code: 0 });
  });
});

describe('the command that starts a child', () => {
  test('with all fences it contains network, limits and permissions, in this order', () => {
    const fences = {
      prlimitPath: '/usr/bin/prlimit',
      withoutNetwork: ['/usr/bin/unshare', '-n', '--'],
      endedWithParent: [],
    };
    const folders = { readable: ['/tmp/upload'], writable: '/tmp/own' };
    const { file, args } = buildChildCommand('plain', ['/tmp/upload'], limitsForFile(1), fences, folders);
    expect(file).toBe('/usr/bin/unshare');
    const words = args.join(' ');
    expect(words).toMatch(
      /^-n -- \/usr\/bin\/prlimit --cpu=20:22 --data=1342177280 --fsize=200000000 --nofile=64 --core=0 -- /,
    );
    expect(words).toContain(' --permission ');
    expect(words).toContain('--allow-fs-read=/tmp/upload --allow-fs-read=/tmp/own --allow-fs-write=/tmp/own ');
    expect(words).not.toMatch(/--allow-(addons|child-process|worker|net)/);
    expect(args.slice(-2)).toEqual(['-', '/tmp/upload']);
  });
});
