import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const root = join(import.meta.dirname, '../../..');

/** A service of docker-compose.yml, limited to what the tests check. */
export type ComposeService = {
  image: string;
  build?: { context: string; dockerfile: string; args: string[] };
  command: string[];
  user?: string;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  networks?: string[];
  network_mode?: string;
  init?: boolean;
  ports?: string[];
  expose?: string[];
  volumes?: string[];
  restart: string;
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  stop_grace_period: string;
  healthcheck?: { test: string[]; interval: string; timeout: string; retries: number };
  deploy: { resources: { limits: { cpus: string; memory: string; pids: number } } };
  container_name?: string;
};

export type ComposeFile = {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, unknown>;
};

export const composeText = readFileSync(join(root, 'docker-compose.yml'), 'utf8');

/**
 * Returns the file with these variables substituted, as docker compose does. Throws for a missing required variable.
 */
export function readCompose(variables: Record<string, string>): ComposeFile {
  return substitute(parse(composeText, { merge: true }), variables) as ComposeFile;
}

function substitute(value: unknown, variables: Record<string, string>): unknown {
  if (typeof value === 'string') return fillIn(value, variables);
  if (Array.isArray(value)) return value.map((item) => substitute(item, variables));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, substitute(field, variables)]));
}

/** Substitutes `${NAME:-default}` and `${NAME:?message}`, innermost first, because a default may contain a variable. */
function fillIn(text: string, variables: Record<string, string>): string {
  const innermost = /\$\{(?<name>[A-Z][A-Z0-9_]*):(?<kind>[-?])(?<rest>[^${}]*)\}/;
  let filled = text;
  for (let left = 10; innermost.test(filled); left -= 1) {
    if (left === 0) throw new Error(`Too many variables in ${text}`);
    filled = filled.replace(innermost, (_whole, name: string, kind: string, rest: string) => {
      if (variables[name]) return variables[name];
      if (kind === '?') throw new Error(`${name}: ${rest}`);
      return rest;
    });
  }
  // `$$` is a literal dollar, for the shell in the container.
  const marked = filled.replaceAll('$$', '\0');
  if (marked.includes('$')) throw new Error(`Not understood: ${filled}`);
  return marked.replaceAll('\0', '$');
}
