// Level: ci
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, startProgram } from '../support/processes/process-control.ts';
import { root } from '../support/project/compose-file.ts';

describe('npm run prove on a machine without Docker and Kubernetes', () => {
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  async function prove(docker: string | null, ...args: string[]) {
    const path = await makeFolder();
    if (docker !== null) {
      await writeFile(join(path, 'docker'), docker);
      await chmod(join(path, 'docker'), 0o755);
    }
    const environment = { PATH: path, XDG_CACHE_HOME: path };
    const program = startProgram(process.execPath, [join(root, 'scripts/prove.ts'), ...args], {
      cwd: root,
      environment,
    });
    return { code: await program.ended, output: program.output() };
  }

  test('the proof fails and says what is missing', async () => {
    const { code, output } = await prove(null, 'compose');
    expect([code, output]).toEqual([1, 'The proof compose cannot run on this machine: no docker on PATH\n']);
  });

  test('with --or-skip it names the reason and succeeds', async () => {
    const { code, output } = await prove(null, 'compose', '--or-skip');
    expect([code, output]).toEqual([0, 'Skipped the proof compose: no docker on PATH\n']);
  });

  test('a machine that cannot prepare an engine is a reason too, not a failure of the product', async () => {
    const docker = '#!/bin/sh\ncase "$1" in compose) echo 2.20.0 ;; version) echo too old >&2; exit 1 ;; esac\n';
    const { code, output } = await prove(docker, 'compose', '--or-skip');
    expect([code, output]).toEqual([0, expect.stringMatching(/^Skipped the proof compose: an engine .*: too old$/m)]);
  });

  test('one image of several that cannot be pulled or made is a reason too', async () => {
    const pull = 'case "$*" in *mongo*) echo toomanyrequests >&2; exit 1 ;; esac';
    const docker = `#!/bin/sh\ncase "$1" in compose) echo 2.20.0 ;; pull) ${pull} ;; esac\n`;
    const { code, output } = await prove(docker, 'compose', '--or-skip');
    const lines = /^It cannot be pulled: toomanyrequests\nSkipped the proof compose: no mmdebstrap$/m;
    expect([code, output]).toEqual([0, expect.stringMatching(lines)]);
  });

  test('without a running engine and the programs to start one, the reason names them', async () => {
    const { code, output } = await prove('#!/bin/sh\n[ "$1" = --version ]\n', 'compose', '--or-skip');
    expect([code, output]).toEqual([0, expect.stringMatching(/^Skipped the proof compose: no running Docker engine/)]);
  });

  test('an unknown proof is refused with the names of those that exist', async () => {
    const { code, output } = await prove(null, 'swarm');
    expect([code, output]).toEqual([1, expect.stringContaining('Allowed choices are compose, kubernetes.')]);
  });

  test('the proof of Kubernetes names the programs that it lacks and their packages', async () => {
    const { code, output } = await prove(null, 'kubernetes', '--or-skip');
    const isPossible = process.platform === 'linux' && process.arch === 'x64';
    const reason = isPossible
      ? /^Skipped the proof kubernetes: .*\bunshare \(apt-get install util-linux\), .*\bgo \(https:/
      : /^Skipped the proof kubernetes: a cluster needs Linux on x86-64\n$/;
    expect([code, output]).toEqual([0, expect.stringMatching(reason)]);
  });
});
