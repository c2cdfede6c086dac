import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { copyClone } from '../copy-clone.ts';
import type { Engine } from '../engine/engine.ts';
import type { Images } from '../images/find-images.ts';
import { runCommand } from '../run-command.ts';

export const services = ['api', 'workers', 'render', 'mongodb', 'redis', 'store'] as const;
export type Service = (typeof services)[number];

const project = 'bluejay-proof';
/** Of the image of the proof, so that it replaces none of an installation of this machine. */
const tag = 'proof';

/** An installation by docker-compose.yml, in a clone of its own, beside any other of this machine. */
export type Installation = {
  folder: string;
  /** The name of its image. */
  image: string;
  apiUrl: string;
  webUrl: string;
  /** Runs the one command of the manual. Returns what it printed. */
  install(): Promise<string>;
  compose(...words: string[]): Promise<string>;
  docker(...words: string[]): Promise<string>;
  /** Runs a command in the container of a service. */
  inside(service: Service, ...words: string[]): Promise<string>;
  /** Runs an operator command and returns its result. */
  admin<Result>(...words: string[]): Promise<Result>;
  /** Returns the ids of the running containers of a service. */
  containersOf(service: Service): Promise<string[]>;
  /** Builds the image from another clone, without any cache. Returns its name. */
  buildAgain(clone: string): Promise<string>;
  /** Removes its containers, networks, volumes, images and files. */
  remove(): Promise<void>;
};

/** Makes a clone and chooses free ports. Starts nothing. */
export async function prepareInstallation(engine: Engine, images: Images, signal: AbortSignal): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'bluejay-clone-'));
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()].map(String);
  const [port = '', webPort = '', storePort = ''] = ports;
  const env = {
    ...engine.environment,
    ...images.variables,
    ...{ COMPOSE_PROJECT_NAME: project, COMPOSE_ANSI: 'never', BLUEJAY_TAG: tag },
    ...{ PORT: port, WEB_PORT: webPort, STORE_PORT: storePort },
    // Nothing waits for the sandbox's clock, and many letters are sent within seconds.
    ...{ SANDBOX_STEP_DELAY_S: '1', RATE_LIMIT_WRITE_PER_MINUTE: '600', RATE_LIMIT_READ_PER_MINUTE: '6000' },
  };
  const run = (words: string[]) => runCommand(words, { cwd: folder, env, signal });
  const [image, second] = [`bluejay:${tag}`, `bluejay:${tag}-second`];
  // By its labels, without the file: that works also after an installation that failed early.
  const down = async () => {
    const options = { cwd: tmpdir(), env };
    const words = ['--project-name', project, 'down', '--volumes', '--remove-orphans'];
    await runCommand(['docker', 'compose', ...words], options);
    for (const name of [image, second]) {
      const isThere = await runCommand(['docker', 'image', 'ls', '--quiet', name], options);
      if (isThere !== '') await runCommand(['docker', 'image', 'rm', name], options);
    }
  };
  const compose = (...words: string[]) => run(['docker', 'compose', ...words]);
  const inside = (service: Service, ...words: string[]) => compose('exec', '-T', service, ...words);
  // What a killed run has left.
  await down();
  await copyClone(folder);
  // As after a clone under the umask 077: what containers need to read must not depend on it.
  await run(['chmod', '--recursive', 'go=', folder]);

  return {
    folder,
    image,
    apiUrl: `http://localhost:${port}`,
    webUrl: `http://localhost:${webPort}`,
    compose,
    inside,
    install: () => run(['sh', 'scripts/deploy/install.sh']),
    docker: (...words) => run(['docker', ...words]),
    async admin<Result>(...words: string[]) {
      return JSON.parse(await inside('api', 'node', 'scripts/admin.ts', '--json', ...words)) as Result;
    },
    async containersOf(service) {
      return (await compose('ps', '--quiet', service)).split('\n').filter((id) => id !== '');
    },
    async buildAgain(clone) {
      await cp(join(folder, '.env'), join(clone, '.env'));
      const options = { cwd: clone, env: { ...env, BLUEJAY_TAG: `${tag}-second` }, signal };
      await runCommand(['docker', 'compose', 'build', '--no-cache', 'api'], options);
      return second;
    },
    async remove() {
      await down();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
