import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Servers that one test run starts for all of its files. */
export const sharedServers = ['mongodb', 'redis', 'object-store'] as const;
export type SharedServer = (typeof sharedServers)[number];

/** What test files open: shared servers of the run, and whether they start servers or programs themselves. */
export type OpenedServers = { shared: Set<SharedServer>; startsPrograms: boolean };

/** How a module of the tests reaches a shared server: it reads the variable that the run sets. */
const variables: Record<SharedServer, RegExp> = {
  mongodb: /\bprocess\.env\.MONGODB_URI\b/,
  redis: /\bprocess\.env\.REDIS_URL\b/,
  'object-store': /\bprocess\.env\.S3_ENDPOINT\b/,
};

/** Modules that start a store or a program. */
const starters =
  /^scripts\/local-servers\/(?:object-store\/)?start-(?:mongodb|redis|object-store)\.ts$|^test\/support\/(?:processes\/process-control|servers\/(?:own-\w+|versitygw))\.ts$|^test\/support\/stores\//;

/** Finds which servers test files open, by what they import and what that reads from the environment. */
export function findServers(
  root: string,
  paths: readonly string[],
  closureOf: (path: string) => Set<string>,
): OpenedServers {
  const modules = new Set(paths.flatMap((path) => [...closureOf(path)]));
  const shared = new Set<SharedServer>();
  for (const path of modules) {
    if (!path.startsWith('test/')) continue;
    const text = readFileSync(join(root, path), 'utf8');
    for (const server of sharedServers) if (variables[server].test(text)) shared.add(server);
  }
  return { shared, startsPrograms: [...modules].some((path) => starters.test(path)) };
}
