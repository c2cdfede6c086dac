import { z } from 'zod';
import { disableClient, listClients, rotateClientSecret } from '../../common/oauth/change-client.ts';
import { createClient } from '../../common/oauth/create-client.ts';
import { lineOfText } from '../../common/text.schema.ts';
import { defineCommand, describeFields } from './command.ts';
import { ModeOption, ScopesOption, wholeNumber } from './option.schema.ts';

const createOAuthClient = defineCommand({
  name: 'client create',
  summary: 'register an application for OAuth, whose secret is shown this once',
  options: {
    '--name <text>': 'what users see on the consent page',
    '--redirect-uri <uri...>': 'where users come back to; https, in test mode also http on 127.0.0.1; repeatable',
    '--scopes <list>': 'the most it may ask for, of read, send, webhooks, addresses, wallet',
    '--mode <mode>': 'test or live',
  },
  input: z.strictObject({
    name: lineOfText(100),
    redirectUri: z.array(z.string()),
    scopes: ScopesOption,
    mode: ModeOption,
  }),

  async run({ name, redirectUri, scopes, mode }, { clock, actor }) {
    const wanted = { name, mode, redirectUris: redirectUri, scopes };
    const { record, secret } = await createClient(wanted, clock.now(), actor);
    const { _id: clientId, redirectUris } = record;
    return { clientId, clientSecret: secret, redirectUris, scopes: record.scopes, mode };
  },
  describe: ({ clientId, clientSecret, redirectUris, scopes, mode }) =>
    describeFields({
      'Client id': clientId,
      'Client secret': `${clientSecret} (shown this once)`,
      'Redirect URIs': redirectUris.join(' '),
      Scopes: scopes.join(', '),
      Mode: mode,
    }),
});

const clientId = z.string().refine((text) => /^bjc_[a-z2-7]{16}$/.test(text), {
  error: ({ input }) => `"${input}" is no id of an application (bjc_…).`,
});

const listOAuthClients = defineCommand({
  name: 'client list',
  summary: 'list the applications, without their secrets',
  input: z.strictObject({}),

  async run() {
    const clients = await listClients();
    return clients.map(({ _id, name, mode, scopes, redirectUris, createdAt, disabledAt }) => ({
      clientId: _id,
      name,
      mode,
      scopes,
      redirectUris,
      createdAt: createdAt.toISOString(),
      disabledAt: disabledAt?.toISOString() ?? null,
    }));
  },
  describe: (clients) =>
    clients
      .map((client) => `${client.clientId}  ${client.mode}  ${client.name}${client.disabledAt ? '  (disabled)' : ''}`)
      .join('\n') || 'No application is registered.',
});

const rotateSecret = defineCommand({
  name: 'client rotate-secret',
  summary: 'give an application a new secret, which is shown this once',
  arguments: { clientId: 'the id of the application' },
  options: { '--overlap-hours <number>': 'how long the present secret goes on working: 0 to 168, without this 24' },
  input: z.strictObject({ clientId, overlapHours: wholeNumber(0, 168).optional() }),

  async run({ clientId: id, overlapHours = 24 }, { clock, actor }) {
    const { record, secret } = await rotateClientSecret(id, { overlapHours, at: clock.now(), by: actor });
    const formerSecretEndsAt = record.formerSecretEndsAt?.toISOString() ?? null;
    return { clientId: record._id, clientSecret: secret, formerSecretEndsAt };
  },
  describe: ({ clientId: id, clientSecret, formerSecretEndsAt }) =>
    describeFields({
      'Client id': id,
      'Client secret': `${clientSecret} (shown this once)`,
      'Former secret': `works until ${formerSecretEndsAt}`,
    }),
});

const disableOAuthClient = defineCommand({
  name: 'client disable',
  summary: 'end an application for good, and every access that users gave it, at once',
  arguments: { clientId: 'the id of the application' },
  input: z.strictObject({ clientId }),

  async run({ clientId: id }, { clock, actor }) {
    const { record, revokedGrantCount } = await disableClient(id, clock.now(), actor);
    return { clientId: record._id, disabledAt: record.disabledAt?.toISOString(), revokedGrantCount };
  },
  describe: ({ clientId: id, disabledAt, revokedGrantCount }) =>
    `${id} is disabled since ${disabledAt}; ${revokedGrantCount} grants were ended.`,
});

export const clientCommands = [createOAuthClient, listOAuthClients, rotateSecret, disableOAuthClient];
