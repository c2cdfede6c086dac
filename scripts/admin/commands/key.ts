import { z } from 'zod';
import { createApiKey, revokeApiKey } from '#common/access/api-keys.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { createRevocations, type Revocations } from '#common/platform/redis/revocations.ts';
import { type AdminServices, defineCommand, describeFields } from '../command.ts';
import { ModeOption, OrganizationOption, ScopesOption, wholeNumber } from '../option.schema.ts';

const perMinute = wholeNumber(1, 1_000_000).optional();

const createKey = defineCommand({
  name: 'key create',
  summary: 'create an API key; its secret is shown once',
  options: {
    '--org <id>': 'the organization',
    '--mode <mode>': 'test or live',
    '--scopes <list>': 'of read, send, webhooks, addresses, wallet, separated by commas',
    '--name <text>': 'what the key is for',
    '--reads-per-minute <number>': 'the limit of reads per minute',
    '--writes-per-minute <number>': 'the limit of writes per minute',
  },
  input: z.strictObject({
    org: OrganizationOption,
    mode: ModeOption,
    scopes: ScopesOption,
    name: lineOfText(100).optional(),
    readsPerMinute: perMinute,
    writesPerMinute: perMinute,
  }),

  async run({ org, mode, scopes, name = null, readsPerMinute = null, writesPerMinute = null }, { clock, actor }) {
    const wanted = { organizationId: org, mode, scopes, name, readsPerMinute, writesPerMinute };
    const { key, record } = await createApiKey(wanted, clock.now(), actor);
    return { keyId: record._id, key, mode: record.mode, scopes: record.scopes };
  },
  describe: ({ keyId, key, mode, scopes }) =>
    describeFields({ 'Key id': keyId, Mode: mode, Scopes: scopes.join(', '), Key: `${key} (shown once)` }),
});

const revokeKey = defineCommand({
  name: 'key revoke',
  summary: 'revoke an API key; every process refuses it at once, without Redis within 30 s',
  arguments: { keyId: 'the id of the key, not its secret' },
  input: z.strictObject({
    keyId: z.string().refine((text) => /^(bjk_)?(test|live)[a-z2-7]{16}$/.test(text), {
      error: 'Give the id of a key: test… or live…, without its secret.',
    }),
  }),

  async run({ keyId }, { clock, config, log, actor }) {
    const { _id, revokedAt } = await withRevocations({ config, log }, (revocations) =>
      revokeApiKey(keyId, revocations, clock.now(), actor),
    );
    return { keyId: _id, revokedAt: revokedAt?.toISOString() };
  },
  describe: ({ keyId, revokedAt }) => `${keyId} is revoked since ${revokedAt}.`,
});

/** Publishes revocations to the API processes before it settles. Without Redis they find a revoked key within 30 s. */
async function withRevocations<T>(
  { config, log }: Pick<AdminServices, 'config' | 'log'>,
  work: (revocations: Revocations) => Promise<T>,
): Promise<T> {
  // The role `worker` waits for the connection, which this new process has not opened yet.
  const redis = createRedis(config.redis.url, 'worker', log);
  try {
    return await work(createRevocations({ redis, prefix: config.redis.queuePrefix, log }));
  } finally {
    redis.disconnect();
  }
}

export const keyCommands = [createKey, revokeKey];
