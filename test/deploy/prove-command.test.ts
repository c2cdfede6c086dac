// Level: ci
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseEnvironment } from '#scripts/prove/choose-environment.ts';
import { provideHere } from '#scripts/prove/give-up.ts';
import { CannotRunHereError } from '#scripts/prove/proof.ts';
import { runCommand } from '#scripts/prove/run-command.ts';
import { describe, eventually, expect, guardMs, test, useTempFolders } from '../support/jest.ts';

/** Writes the id of a process that it has started and that holds its output open, then waits for it. */
const withGrandchild = (file: string) => ['sh', '-c', 'sleep 60 & echo $! > "$0"; echo begun; wait', file];

describe('commands of a proof', () => {
  const makeFolder = useTempFolders();

  async function expectGone(file: string) {
    const pid = Number(await readFile(file, 'utf8'));
    const state = () => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'gone');
    await eventually(async () => expect(await state()).toMatch(/^gone$|\) Z /));
  }

  test('at its limit a command ends with the processes that it has started', async () => {
    const file = join(await makeFolder(), 'pid');
    const run = runCommand(withGrandchild(file), { withinMs: 8_000 });
    await expect(run).rejects.toThrow(/took longer than 8 s\nbegun$/);
    await expectGone(file);
  });

  test('a stop ends a command at once, with the processes that it has started', async () => {
    const file = join(await makeFolder(), 'pid');
    const stopping = new AbortController();
    const run = runCommand(withGrandchild(file), { withinMs: 60_000, signal: stopping.signal });
    const failure = expect(run).rejects.toThrow('was stopped');
    await eventually(async () => expect(await readFile(file, 'utf8')).toMatch(/\n/));
    stopping.abort();
    await failure;
    await expectGone(file);
  });

  test('a command that fails is a lack of this machine, and a fault of our own code is not', async () => {
    const command = provideHere('an engine', () => runCommand(['false'], { withinMs: guardMs }));
    await expect(command).rejects.toThrow(/^an engine cannot be had: false: exit code 1$/);
    await expect(command).rejects.toThrow(CannotRunHereError);
    const failing = (message: string) => provideHere('images', () => Promise.reject(new TypeError(message)));
    await expect(failing('fetch failed')).rejects.toThrow(CannotRunHereError);
    await expect(failing('x is not a function')).rejects.toThrow(/^x is not a function$/);
  });

  test('settings of another installation in the shell do not reach the proof', () => {
    const passed = {
      PATH: '/bin',
      HOME: '/root',
      DOCKER_HOST: 'unix:///x',
      KUBECONFIG: 'k',
      https_proxy: 'p',
      npm_config_cache: 'c',
    };
    const kept = {
      BLUEJAY_TAG: 'mine',
      COMPOSE_FILE: 'mine.yml',
      BASE_URL: 'https://mine.example',
      REDIS_PASSWORD: 's',
    };
    expect(chooseEnvironment({ ...passed, ...kept })).toEqual(passed);
  });
});
