import { z } from 'zod';
import { createApiKey, revokeApiKey } from '../../common/access/api-keys.ts';
import { lineOfText } from '../../common/text.schema.ts';
import { defineCommand, describeFields } from './command.ts';
import { ModeOption, OrganizationOption, ScopesOption, wholeNumber } from './option.schema.ts';
import { withRevocations } from './with-revocations.ts';

const perMinute = wholeNumber(1, 1_000_000).optional();

const createKey = defineCommand({
  name: 'key create',
  summary: 'make an API key, whose secret is shown this once',
  options: {
    '--org <id>': 'the organization that it acts for',
    '--mode <mode>': 'test or live',
    '--scopes <list>': 'of read, send, webhooks, addresses, wallet, separated by commas',
    '--name <text>': 'what it is for',
    '--reads-per-minute <number>': 'a limit of its own',
    '--writes-per-minute <number>': 'a limit of its own',
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
    describeFields({ 'Key id': keyId, Mode: mode, Scopes: scopes.join(', '), Key: `${key} (shown this once)` }),
});

const revokeKey = defineCommand({
  name: 'key revoke',
  summary: 'end an API key; every process lets go of it at once, without Redis within 30 s',
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

export const keyCommands = [createKey, revokeKey];
