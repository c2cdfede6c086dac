import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The variables of `demo.env`, in this order. */
const names = [
  'BLUEJAY_URL',
  'BLUEJAY_AUTH_URL',
  'BLUEJAY_METRICS_URL',
  'BLUEJAY_WORKERS_METRICS_URL',
  'BLUEJAY_ORG',
  'BLUEJAY_TEST_KEY',
  'BLUEJAY_LIVE_KEY',
  'BLUEJAY_JOB_WEBHOOK_SECRET',
  'BLUEJAY_USER_EMAIL',
  'BLUEJAY_USER_PASSWORD',
  'BLUEJAY_CLIENT_ID',
  'BLUEJAY_CLIENT_SECRET',
  'BLUEJAY_ADMIN_EMAIL',
  'BLUEJAY_ADMIN_PASSWORD',
] as const;

/** The URLs and secrets of the demo service. */
export type DemoEnvironment = Record<(typeof names)[number], string>;

/** Returns the path of the file that a shell reads by `. .data/demo.env`. */
export function demoEnvironmentFile(dataDir: string): string {
  return join(dataDir, 'demo.env');
}

/** Returns the variables that the file sets. */
export async function readDemoEnvironment(dataDir: string): Promise<Partial<DemoEnvironment>> {
  const text = await readFile(demoEnvironmentFile(dataDir), 'utf8').catch(() => '');
  const lines = names.flatMap((name) => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name}=`));
    return line === undefined ? [] : [[name, unquote(line.slice(name.length + 1).trim())]];
  });
  return Object.fromEntries(lines.filter(([, value]) => value !== ''));
}

/** Writes the file atomically. Only its owner may read it. */
export async function writeDemoEnvironment(dataDir: string, environment: DemoEnvironment): Promise<void> {
  const draftFile = `${demoEnvironmentFile(dataDir)}.${process.pid}.part`;
  // A draft of a crashed process may have other permissions.
  await rm(draftFile, { force: true });
  const draft = await open(draftFile, 'wx', 0o600);
  try {
    await draft.writeFile(names.map((name) => `${name}=${quote(environment[name])}\n`).join(''));
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(draftFile, demoEnvironmentFile(dataDir));
}

/** Quotes a value for a POSIX shell. */
export function quote(value: string): string {
  return /^[A-Za-z0-9_.:/@%+=,-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

function unquote(text: string): string {
  return text.startsWith("'") ? text.slice(1, -1).replaceAll(`'\\''`, "'") : text;
}
