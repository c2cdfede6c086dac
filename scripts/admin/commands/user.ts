import { z } from 'zod';
import { createUser } from '#common/organizations/create-user.ts';
import { commandAddress } from '#common/organizations/password.ts';
import { randomBase32 } from '#common/secrets.ts';
import { defineCommand, option } from '../command.ts';
import { common } from '../option.schema.ts';

/** 120 random bits, in base32 because it is easy to copy. */
const generatedBytes = 15;

type CreatedUser = { userId: string; organizationId: string; email: string; password?: string };

const createUserCommand = defineCommand({
  name: 'user create',
  summary: 'add a user of the web host; the password is read from standard input, hidden at a terminal',
  fields: {
    org: { ...common.org, help: 'the organization that the user belongs to' },
    email: option('--email <address>', 'what the user signs in with', z.string()),
    generate: option('--generate', 'generate a password and print it once', z.boolean().default(false)),
    password: option(
      '--password <text>',
      'the password; other users of this machine can see it while the command runs',
      z.string().optional(),
    ),
    admin: option(
      '--admin',
      'make the user an administrator, who sees and changes all organizations',
      z.boolean().default(false),
    ),
  },
  check: ({ generate, password }) => ({
    password: generate && password !== undefined ? 'Give a password or --generate, not both.' : null,
  }),

  async run({ org, email, generate, password, admin }, { clock, actor, readPassword }): Promise<CreatedUser> {
    const chosen = generate ? randomBase32(generatedBytes) : (password ?? (await readPassword()));
    const wanted = { organizationId: org, email, password: chosen, isAdmin: admin, address: commandAddress };
    const user = await createUser(wanted, clock.now(), actor);
    const created = { userId: user._id, organizationId: user.organizationId, email: user.email };
    return generate ? { ...created, password: chosen } : created;
  },
  describe: ({ userId, organizationId, email, password }) =>
    `Created ${userId} (${email}) in ${organizationId}.${password === undefined ? '' : `\nPassword: ${password} (shown once)`}`,
});

export const userCommands = [createUserCommand];
