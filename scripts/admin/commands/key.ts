import { z } from 'zod';
import { createApiKey, revokeApiKey } from '#common/access/api-keys.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { createRevocations } from '#common/platform/redis/revocations.ts';
import { argument, defineCommand, describeFields, option } from '../command.ts';
import { common, wholeNumber } from '../option.schema.ts';

const perMinute = wholeNumber(1, 1_000_000).optional();

const createKey = defineCommand({
  name: 'key create',
  summary: 'create an API key; its secret is shown once',
  fields: {
    ...common.owner,
    scopes: common.scopes('of read, send, webhooks, addresses, wallet, separated by commas'),
    name: option('--name <text>', 'what the key is for', lineOfText(100).optional()),
    readsPerMinute: option('--reads-per-minute <number>', 'the limit of reads per minute', perMinute),
    writesPerMinute: option('--writes-per-minute <number>', 'the limit of writes per minute', perMinute),
  },

  async run({ org, mode, scopes, name = null, readsPerMinute = null, writesPerMinute = null }, { clock, actor }) {
    const wanted = { organizationId: org, mode, scopes, name, readsPerMinute, writesPerMinute };
    const { key, record } = await createApiKey(wanted, clock.now(), actor);
    return { keyId: record._id, key, mode: record.mode, scopes: record.scopes };
  },
  describe: ({ keyId, key, mode, scopes }) =>
    describeFields({ 'Key id': keyId, Mode: mode, Scopes: scopes.join(', '), Key: `${key} (shown once)` }),
});

const keyId = z.string().refine((text) => /^(bjk_)?(test|live)[a-z2-7]{16}$/.test(text), {
  error: 'Give the id of a key: test… or live…, without its secret.',
});

const revokeKey = defineCommand({
  name: 'key revoke',
  summary: 'revoke an API key; every process refuses it at once, without Redis within 30 s',
  fields: { keyId: argument('the id of the key, not its secret', keyId) },

  async run({ keyId: id }, { clock, config, log, actor, withRedis }) {
    // Publishes the revocation before it settles. Without Redis the API processes find a revoked key within 30 s.
    const { _id, revokedAt } = await withRedis((redis) => {
      const revocations = createRevocations({ redis, prefix: config.redis.queuePrefix, log });
      return revokeApiKey(id, revocations, clock.now(), actor);
    });
    return { keyId: _id, revokedAt: revokedAt?.toISOString() };
  },
  describe: ({ keyId: id, revokedAt }) => `${id} is revoked since ${revokedAt}.`,
});

export const keyCommands = [createKey, revokeKey];
