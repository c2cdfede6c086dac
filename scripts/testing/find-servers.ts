import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFile } from './import-graph.ts';

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

const startsPrograms = /from 'node:child_process'/;

/**
 * Finds which servers test files open, by the modules that they load and what these read from the environment, and whether
 * they start programs: by our support modules, or themselves.
 */
export function findServers(root: string, paths: readonly string[], modules: ReadonlySet<string>): OpenedServers {
  const shared = new Set<SharedServer>();
  for (const path of modules) {
    if (!path.startsWith('test/') || !isFile(join(root, path))) continue;
    const text = readFileSync(join(root, path), 'utf8');
    for (const server of sharedServers) if (variables[server].test(text)) shared.add(server);
  }
  const startOwn = paths.some((path) => startsPrograms.test(readFileSync(join(root, path), 'utf8')));
  return { shared, startsPrograms: startOwn || [...modules].some((path) => starters.test(path)) };
}
