import { Gauge, type Registry } from 'prom-client';
import type { Config } from '#common/config/config.ts';
import { type FenceName, fenceNames } from '#common/config/variables.ts';
import type { Log } from '#common/platform/process/log.ts';
import { findFences, findMissingFences } from './fences.ts';

const namespaceRemedy =
  'allow unprivileged user namespaces (user.max_user_namespaces, and in a container a seccomp profile with unshare)';

/** How an operator can add each fence. */
const remedies: Record<FenceName, string> = {
  network: `${namespaceRemedy}, or run this process on a network that reaches its stores alone`,
  environment: `${namespaceRemedy}, or make the node binary executable but not readable for this user (chmod 711, owned by root) with no init process of the same user in front`,
  memory: 'install util-linux, which has prlimit',
  permissions: 'run Node.js 26 or later',
};

export type FenceCheck = Pick<Config, 'isProduction' | 'allowMissingFences'> & { registry: Registry; log: Log };

/**
 * Reports which fences around document processes this machine has: the gauge `document_fences`, and a warning for each
 * missing one, also for a missing setpriv. In production, throws when a fence is missing that ALLOW_MISSING_FENCES does not name.
 */
export async function requireFences(
  { isProduction, allowMissingFences, registry, log }: FenceCheck,
  findMissing: () => Promise<FenceName[]> = findMissingFences,
): Promise<void> {
  const missing = await findMissing();
  const gauge = new Gauge({
    name: 'document_fences',
    help: '1 for each fence around the processes that open documents that is present, 0 for one that is missing.',
    labelNames: ['fence'],
    registers: [registry],
  });
  for (const fence of fenceNames) gauge.set({ fence }, missing.includes(fence) ? 0 : 1);
  for (const fence of missing) log.warn({ fence, remedy: remedies[fence] }, 'document fence missing');

  if ((await findFences()).endedWithParent.length === 0) {
    log.warn({ remedy: 'install util-linux, which has setpriv' }, 'document processes may outlive a killed parent');
  }

  const refused = missing.filter((fence) => !allowMissingFences.includes(fence));
  if (!isProduction || refused.length === 0) return;
  const lines = refused.map((fence) => `  ${fence}: ${remedies[fence]}`);
  throw new Error(
    `documents would be opened without these fences, which production requires:\n${lines.join('\n')}\n` +
      `To start without them, set ALLOW_MISSING_FENCES=${missing.join(',')}.`,
  );
}
