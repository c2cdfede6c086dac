// Level: ci
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, startProgram } from '../support/processes/process-control.ts';
import { root } from '../support/project/compose-file.ts';

describe('npm run prove on a machine without Docker and Kubernetes', () => {
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  /** Runs the command with these programs alone on PATH. */
  async function prove(programs: Record<string, string>, ...args: string[]) {
    const path = await makeFolder();
    for (const [name, text] of Object.entries(programs)) {
      await writeFile(join(path, name), text, { mode: 0o755 });
    }
    const environment = { PATH: path, XDG_CACHE_HOME: path };
    const program = startProgram(process.execPath, [join(root, 'scripts/prove.ts'), ...args], {
      cwd: root,
      environment,
    });
    return { code: await program.ended, output: program.output() };
  }

  test('the proof fails and says what is missing', async () => {
    const { code, output } = await prove({}, 'compose');
    expect([code, output]).toEqual([1, 'The proof compose cannot run on this machine: no docker on PATH\n']);
  });

  test('with --or-skip it names the reason and succeeds', async () => {
    const { code, output } = await prove({}, 'compose', '--or-skip');
    expect([code, output]).toEqual([0, 'Skipped the proof compose: no docker on PATH\n']);
  });

  test('a machine that cannot prepare an engine is a reason too, not a failure of the product', async () => {
    const docker = '#!/bin/sh\ncase "$1" in compose) echo 2.20.0 ;; version) echo too old >&2; exit 1 ;; esac\n';
    const { code, output } = await prove({ docker }, 'compose', '--or-skip');
    expect([code, output]).toEqual([0, expect.stringMatching(/^Skipped the proof compose: an engine .*: too old$/m)]);
  });

  test('one image of several that cannot be pulled or made is a reason too', async () => {
    const pull = 'case "$*" in *mongo*) echo toomanyrequests >&2; exit 1 ;; esac';
    const docker = `#!/bin/sh\ncase "$1" in compose) echo 2.20.0 ;; pull) ${pull} ;; esac\n`;
    const { code, output } = await prove({ docker }, 'compose', '--or-skip');
    const lines = /^It cannot be pulled: toomanyrequests\nSkipped the proof compose: no mmdebstrap$/m;
    expect([code, output]).toEqual([0, expect.stringMatching(lines)]);
  });

  test('without a running engine and the programs to start one, the reason names them', async () => {
    const { code, output } = await prove({ docker: '#!/bin/sh\n[ "$1" = --version ]\n' }, 'compose', '--or-skip');
    expect([code, output]).toEqual([0, expect.stringMatching(/^Skipped the proof compose: no running Docker engine/)]);
  });

  test('an unknown proof is refused with the names of those that exist', async () => {
    const { code, output } = await prove({}, 'swarm');
    expect([code, output]).toEqual([1, expect.stringContaining('Allowed choices are compose, kubernetes.')]);
  });

  test('the proof of Kubernetes names the program that it lacks', async () => {
    const { code, output } = await prove({}, 'kubernetes', '--or-skip');
    expect([code, output]).toEqual([0, 'Skipped the proof kubernetes: no kubectl on PATH\n']);
  });

  test('the proof of Kubernetes asks for the cluster and the image', async () => {
    const programs = { kubectl: '#!/bin/sh\n', helm: '#!/bin/sh\n' };
    expect((await prove(programs, 'kubernetes')).output).toMatch(/^Name the cluster: --context NAME/);
    expect((await prove(programs, 'kubernetes', '--context', 'a')).output).toMatch(/^Name the image .*--image NAME/);
  });

  test('a cluster that does not answer is a reason, and no failure of the product', async () => {
    const programs = { kubectl: '#!/bin/sh\necho refused >&2\nexit 1\n', helm: '#!/bin/sh\n' };
    const { code, output } = await prove(programs, 'kubernetes', '--context', 'a', '--image', 'b', '--or-skip');
    expect([code, output]).toEqual([0, 'Skipped the proof kubernetes: the cluster a does not answer: refused\n']);
  });

  test('the proof of Kubernetes fails where another run has its namespaces, and removes nothing', async () => {
    const log = join(await makeFolder(), 'log');
    const kubectl = `#!/bin/sh\necho "$*" >> '${log}'\ncase "$*" in *create*) echo exists >&2; exit 1 ;; esac\n`;
    const { code, output } = await prove(
      { kubectl, helm: '#!/bin/sh\n' },
      'kubernetes',
      '--context',
      'a',
      '--image',
      'b',
    );
    expect([code, output]).toEqual([1, expect.stringContaining('exists')]);
    expect((await readFile(log, 'utf8')).split('\n')).toEqual([
      '--context a get --raw /readyz',
      '--context a create namespace bluejay-proof-stores',
      '',
    ]);
  });
});
