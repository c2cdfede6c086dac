import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The first rows of a committed result: when, on which code and on what it was measured. */
export function describeRun(at: Date, commit: string): [name: string, value: string][] {
  return [
    ['Date', at.toISOString().slice(0, 10)],
    ['Commit', commit],
    ['Machine', describeMachine()],
  ];
}

/** Returns the commit of the working tree, and whether it has changes. Ask before a run: it may change meanwhile. */
export function describeCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  try {
    const hash = git('rev-parse', '--short=12', 'HEAD');
    return git('status', '--porcelain') === '' ? hash : `${hash} with changes`;
  } catch {
    return 'unknown';
  }
}

function describeMachine(): string {
  const [first] = cpus();
  const gib = Math.round(totalmem() / 1024 ** 3);
  const node = `Node.js ${process.versions.node}`;
  return `${cpus().length} cores (${first?.model ?? 'unknown'}), ${gib} GiB of memory, ${describeSystem()}, ${node}`;
}

function describeSystem(): string {
  try {
    const [, name] = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
    return name ?? process.platform;
  } catch {
    return process.platform;
  }
}

/** Returns the lines of a Markdown table and a blank line. */
export function toTable(head: string[], rows: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}
