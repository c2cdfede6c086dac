import { join } from 'node:path';
import type { Report } from '../local-servers/binaries/find-server.ts';
import { installPythonPackages } from '../program/install-python-packages.ts';

/** All packages of schemathesis, with exact versions and file hashes. */
const requirementsFile = join(import.meta.dirname, 'requirements.txt');

export type InstallOptions = {
  /** PATH, XDG_CACHE_HOME and the variables of pip. */
  environment: Record<string, string | undefined>;
  report: Report;
};

/**
 * Returns the path of the program `st` in a cached virtual environment, which is created on first use and recreated
 * when incomplete. Throws an OperatorError that names what to install.
 */
export async function installSchemathesis({ environment, report }: InstallOptions): Promise<string> {
  const packages = { name: 'schemathesis', requirementsFile, leastMinor: 11, proof: 'st' };
  return join(await installPythonPackages({ ...packages, what: 'The contract test', environment, report }), 'st');
}
