import { z } from 'zod';

/** Redis behind sentinels, which know the address of its master. */
export type SentinelGroup = {
  hosts: { host: string; port: number }[];
  /** The name of the master in the configuration of the sentinels. */
  name: string;
  /** The password of the sentinels, which is not that of Redis. */
  password?: string | undefined;
};

const defaultPort = 26_379;
const highestPort = 65_535;
const message = 'must be hosts like a.example:26379,b.example:26379';
const form = /^(?<host>[a-z0-9][a-z0-9.-]*|\[[0-9a-f:.]+\])(?::(?<port>\d{1,5}))?$/i;

/** The address of a sentinel: `a.example`, `a.example:26379` or `[fd00::1]:26379`. */
export const SentinelAddress = z
  .string()
  .regex(form, message)
  .transform((text, { issues }) => {
    const { host = '', port = defaultPort } = form.exec(text)?.groups ?? {};
    if (Number(port) < 1 || Number(port) > highestPort) issues.push({ code: 'custom', input: text, message });
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  });

type SentinelVariables = {
  REDIS_SENTINELS: SentinelGroup['hosts'];
  REDIS_SENTINEL_NAME?: string | undefined;
  REDIS_SENTINEL_PASSWORD?: string | undefined;
};

/** Returns the variable that needs another one, and the rule. */
export function findSentinelProblem({
  REDIS_SENTINELS: hosts,
  REDIS_SENTINEL_NAME: name,
  REDIS_SENTINEL_PASSWORD: password,
}: SentinelVariables): [name: keyof SentinelVariables, message: string] | undefined {
  if (hosts.length > 0 && name === undefined)
    return ['REDIS_SENTINELS', 'needs REDIS_SENTINEL_NAME too, the name after `sentinel monitor`'];
  const rule = 'needs REDIS_SENTINELS too, the addresses of the sentinels';
  if (hosts.length === 0 && name !== undefined) return ['REDIS_SENTINEL_NAME', rule];
  if (hosts.length === 0 && password !== undefined) return ['REDIS_SENTINEL_PASSWORD', rule];
  return undefined;
}

/** Returns the sentinels of a checked environment, null when none are set. */
export function sentinelGroupOf(env: SentinelVariables): SentinelGroup | null {
  const { REDIS_SENTINELS: hosts, REDIS_SENTINEL_NAME: name, REDIS_SENTINEL_PASSWORD: password } = env;
  return name === undefined ? null : { hosts, name, password };
}
