import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { buildChildCommand } from '../../common/documents/child-command.ts';
import { type ChildLimits, limitsForFile } from '../../common/documents/child-limits.ts';
import { useTempFolders } from '../support/temp-folder.ts';

const program = {
  entryPath: fileURLToPath(new URL('../support/documents/misbehaving.child.ts', import.meta.url)),
  permissions: 'off',
} as const;
/** A system without util-linux, such as macOS: the shell's own limits. */
const shellOnly = { prlimitPath: null, withoutNetwork: [] };

describe('the limits where only a shell can set them', () => {
  const newFolder = useTempFolders();

  async function run(how: string, limits: Partial<ChildLimits> = {}) {
    const folder = await newFolder();
    const folders = { readable: [], writable: folder };
    const command = buildChildCommand(program, [how], { ...limitsForFile(1), ...limits }, shellOnly, folders);
    const child = spawn(command.file, command.args, { cwd: folder, env: {}, stdio: 'ignore' });
    const end = await new Promise<{ code: number | null; signal: string | null }>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    return { ...end, folder };
  }

  test('given a child that spins, when its CPU time is over, then the system ends it', async () => {
    const { code, signal } = await run('spin', { cpuS: 1 });
    expect(code).toBeNull();
    expect(['SIGXCPU', 'SIGKILL']).toContain(signal);
  });

  test('given a child that writes 1 GB, when it reaches its limit, then the file ends there', async () => {
    const { folder } = await run('write1GB', { fileBytes: 5_120_000 });
    expect((await stat(join(folder, 'large'))).size).toBe(5_120_000);
    expect(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))).toMatchObject({ fault: 'damaged_pdf' });
  });

  test('given a child that works, when limited, then it works', async () => {
    expect(await run('succeed')).toMatchObject({ code: 0 });
  });
});

describe('the command that starts a child', () => {
  test('given all fences, when built, then network, limits, permissions and program follow each other', () => {
    const fences = { prlimitPath: '/usr/bin/prlimit', withoutNetwork: ['/usr/bin/unshare', '-n', '--'] };
    const folders = { readable: ['/tmp/upload'], writable: '/tmp/own' };
    const inside = { ...program, permissions: 'plain' } as const;
    const { file, args } = buildChildCommand(inside, ['/tmp/upload'], limitsForFile(1), fences, folders);
    expect(file).toBe('/usr/bin/unshare');
    const words = args.join(' ');
    expect(words).toMatch(
      /^-n -- \/usr\/bin\/prlimit --cpu=20:22 --data=1342177280 --fsize=200000000 --nofile=64 --core=0 -- /,
    );
    expect(words).toContain(' --permission ');
    expect(words).toContain('--allow-fs-read=/tmp/upload --allow-fs-read=/tmp/own --allow-fs-write=/tmp/own ');
    expect(words).not.toMatch(/--allow-(addons|child-process|worker|net)/);
    expect(args.slice(-2)).toEqual([program.entryPath, '/tmp/upload']);
  });
});
