import { z } from 'zod';
import { createClient } from '../../common/oauth/create-client.ts';
import { lineOfText } from '../../common/text.schema.ts';
import { defineCommand, describeFields } from './command.ts';
import { ModeOption, ScopesOption } from './option.schema.ts';

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

  async run({ name, redirectUri, scopes, mode }, { clock }) {
    const { record, secret } = await createClient({ name, mode, redirectUris: redirectUri, scopes }, clock.now());
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

export const clientCommands = [createOAuthClient];
