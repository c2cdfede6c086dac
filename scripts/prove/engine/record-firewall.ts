import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type CommandOptions, runCommand } from '../run-command.ts';
import type { Environment } from './engine.ts';

/** Those of `optional` are missing on some systems, and then dockerd does not use them either. */
const tables = [
  { program: 'iptables', table: 'filter', optional: false },
  { program: 'iptables', table: 'nat', optional: false },
  { program: 'iptables', table: 'raw', optional: true },
  { program: 'ip6tables', table: 'filter', optional: true },
  { program: 'ip6tables', table: 'nat', optional: true },
  { program: 'ip6tables', table: 'raw', optional: true },
] as const;
/** dockerd sets them to 1. */
const forwarding = ['/proc/sys/net/ipv4/ip_forward', '/proc/sys/net/ipv6/conf/all/forwarding'];
/** What dockerd adds: chains, rules that jump to them, and rules of its bridges. */
const isOfDocker = (rule: string) => /\bDOCKER|\b(bluejay0|br-[0-9a-f]{12})\b|172\.31\.2(2[4-9]|3\d)\./.test(rule);

type FirewallRecord = {
  /** Of the boot of the machine: after the next one the record says nothing. */
  boot: string;
  /** The lines of `iptables -S` by program and table, without those that the system lacks. */
  rules: Record<string, string[]>;
  /** The values of `forwarding` by file. */
  forwarding: Record<string, string>;
};

/**
 * Remembers the firewall rules and policies of this machine, and whether it forwards packets. `restore` removes what
 * dockerd has added since and leaves there, and keeps what others have added. The record is in `file` until then, so the
 * run after a killed one restores what was before that.
 */
export async function recordFirewall(file: string, environment: Environment): Promise<{ restore(): Promise<void> }> {
  const options: CommandOptions = { env: environment, withinMs: 10_000 };
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  const left = await readRecord(file);
  const before = left?.boot === boot ? left : await readSystem(boot, options);
  await writeFile(`${file}.part`, JSON.stringify(before));
  await rename(`${file}.part`, file);

  return {
    async restore() {
      for (const { program, table } of tables) {
        const known = before.rules[`${program} ${table}`];
        if (known) await restoreTable(known, (...words) => runCommand([program, '-w', '-t', table, ...words], options));
      }
      for (const [name, value] of Object.entries(before.forwarding)) {
        if ((await readFile(name, 'utf8')).trim() !== value) await writeFile(name, value);
      }
      await rm(file, { force: true });
    },
  };
}

async function readRecord(file: string): Promise<FirewallRecord | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text && JSON.parse(text);
}

async function readSystem(boot: string, options: CommandOptions): Promise<FirewallRecord> {
  const record: FirewallRecord = { boot, rules: {}, forwarding: {} };
  for (const { program, table, optional } of tables) {
    const listed = runCommand([program, '-w', '-t', table, '-S'], options);
    const text = optional ? await listed.catch(() => null) : await listed;
    if (text !== null) record.rules[`${program} ${table}`] = text.split('\n');
  }
  for (const name of forwarding) {
    const text = await readFile(name, 'utf8').catch(() => null);
    if (text !== null) record.forwarding[name] = text.trim();
  }
  return record;
}

async function restoreTable(known: string[], iptables: (...words: string[]) => Promise<string>): Promise<void> {
  const added = (await iptables('-S')).split('\n').filter((line) => !known.includes(line));
  const rules = added.filter((line) => line.startsWith('-A ') && isOfDocker(line));
  for (const rule of rules) await iptables('-D', ...words(rule.slice(3)));
  const chains = added.filter((line) => line.startsWith('-N DOCKER')).map((line) => line.slice(3));
  for (const chain of chains) await iptables('-X', chain);
  const policies = known.filter((line) => line.startsWith('-P FORWARD '));
  for (const policy of policies) await iptables(...words(policy));
}

function words(rule: string): string[] {
  return [...rule.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
