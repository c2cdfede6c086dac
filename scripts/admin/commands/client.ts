import { z } from 'zod';
import { lineOfText } from '#common/fields/text.schema.ts';
import {
  disableClient,
  listClients,
  rotateClientSecret,
  setTokensPerMinute,
} from '#common/oauth/clients/change-client.ts';
import { isMetadataUrl } from '#common/oauth/clients/client-metadata.ts';
import { createClient, maxTokensPerMinute } from '#common/oauth/clients/create-client.ts';
import { argument, defineCommand, describeFields, option } from '../command.ts';
import { common, wholeNumber } from '../option.schema.ts';

const tokensPerMinute = (help: string) =>
  option('--tokens-per-minute <number>', help, wholeNumber(1, maxTokensPerMinute).optional());

const createOAuthClient = defineCommand({
  name: 'client create',
  summary: 'register an OAuth application; its secret is shown once',
  fields: {
    name: option('--name <text>', 'the name that users see on the consent page', lineOfText(100)),
    redirectUri: option(
      '--redirect-uri <uri...>',
      'the redirect URI; https, in test mode also http on 127.0.0.1; repeatable',
      z.array(z.string()),
    ),
    scopes: common.scopes('the scopes it may request, of read, send, webhooks, addresses, wallet'),
    mode: common.mode,
    tokensPerMinute: tokensPerMinute('successful token requests per minute; default 1200'),
  },

  async run({ name, redirectUri, scopes, mode, tokensPerMinute: own = null }, { clock, actor }) {
    const wanted = { name, mode, redirectUris: redirectUri, scopes, tokensPerMinute: own };
    const { record, secret } = await createClient(wanted, clock.now(), actor);
    const { _id: clientId, redirectUris } = record;
    return { clientId, clientSecret: secret, redirectUris, scopes: record.scopes, mode };
  },
  describe: ({ clientId, clientSecret, redirectUris, scopes, mode }) =>
    describeFields({
      'Client id': clientId,
      'Client secret': `${clientSecret} (shown once)`,
      'Redirect URIs': redirectUris.join(' '),
      Scopes: scopes.join(', '),
      Mode: mode,
    }),
});

const clientId = argument(
  'the id of the application',
  z.string().refine((text) => /^bjc_[a-z2-7]{16}$/.test(text) || isMetadataUrl(text), {
    error: ({ input }) => `"${input}" is not an application id (bjc_…, or the URL of a public client).`,
  }),
);

const listOAuthClients = defineCommand({
  name: 'client list',
  summary: 'list the registered applications and the 100 newest public clients, without secrets',
  fields: {},

  async run() {
    const { registered, publicClients } = await listClients();
    return [...registered, ...publicClients].map(
      ({ _id, name, mode, scopes, redirectUris, tokensPerMinute: own, createdAt, disabledAt }) => ({
        clientId: _id,
        name,
        mode,
        scopes,
        redirectUris,
        tokensPerMinute: own ?? null,
        createdAt: createdAt.toISOString(),
        disabledAt: disabledAt?.toISOString() ?? null,
      }),
    );
  },
  describe: (clients) =>
    clients
      .map(
        (client) =>
          `${client.clientId}  ${client.mode ?? 'either mode'}  ${client.name}${client.disabledAt ? '  (disabled)' : ''}`,
      )
      .join('\n') || 'No application is registered.',
});

const rotateSecret = defineCommand({
  name: 'client rotate-secret',
  summary: 'give an application a new secret, which is shown once',
  fields: {
    clientId,
    overlapHours: option(
      '--overlap-hours <number>',
      'how long the current secret keeps working: 0 to 168, default 24',
      wholeNumber(0, 168).optional(),
    ),
  },

  async run({ clientId: id, overlapHours = 24 }, { clock, actor }) {
    const { record, secret } = await rotateClientSecret(id, { overlapHours, at: clock.now(), by: actor });
    const formerSecretEndsAt = record.formerSecretEndsAt?.toISOString() ?? null;
    return { clientId: record._id, clientSecret: secret, formerSecretEndsAt };
  },
  describe: ({ clientId: id, clientSecret, formerSecretEndsAt }) =>
    describeFields({
      'Client id': id,
      'Client secret': `${clientSecret} (shown once)`,
      'Former secret': `works until ${formerSecretEndsAt}`,
    }),
});

const setLimit = defineCommand({
  name: 'client set-limit',
  summary: "set an application's limit of successful token requests per minute",
  fields: { clientId, tokensPerMinute: tokensPerMinute('without it, the default of the installation') },

  async run({ clientId: id, tokensPerMinute: wanted = null }, { clock, actor }) {
    const record = await setTokensPerMinute(id, wanted, clock.now(), actor);
    return { clientId: record._id, tokensPerMinute: record.tokensPerMinute ?? null };
  },
  describe: ({ clientId: id, tokensPerMinute: own }) =>
    `${id} may get tokens ${own === null ? 'as often as the default allows' : `${own} times a minute`}.`,
});

const disableOAuthClient = defineCommand({
  name: 'client disable',
  summary: 'disable an application permanently and end all its grants at once',
  fields: { clientId },

  async run({ clientId: id }, { clock, actor }) {
    const { record, revokedGrantCount } = await disableClient(id, clock.now(), actor);
    return { clientId: record._id, disabledAt: record.disabledAt?.toISOString(), revokedGrantCount };
  },
  describe: ({ clientId: id, disabledAt, revokedGrantCount }) =>
    `${id} is disabled since ${disabledAt}; ${revokedGrantCount} grants were ended.`,
});

export const clientCommands = [createOAuthClient, listOAuthClients, rotateSecret, setLimit, disableOAuthClient];
