import { z } from 'zod';
import { createUser } from '#common/organizations/create-user.ts';
import { commandAddress } from '#common/organizations/password.ts';
import { randomBase32 } from '#common/secrets.ts';
import { defineCommand } from '../command.ts';
import { OrganizationOption } from '../option.schema.ts';

/** 120 random bits, in base32 because it is easy to copy. */
const generatedBytes = 15;

type CreatedUser = { userId: string; organizationId: string; email: string; password?: string };

const createUserCommand = defineCommand({
  name: 'user create',
  summary: 'add a user of the web host; the password is read from standard input, hidden at a terminal',
  options: {
    '--org <id>': 'the organization that the user belongs to',
    '--email <address>': 'what the user signs in with',
    '--generate': 'generate a password and print it once',
    '--password <text>': 'the password; other users of this machine can see it while the command runs',
    '--admin': 'make the user an administrator, who sees and changes all organizations',
  },
  input: z
    .strictObject({
      org: OrganizationOption,
      email: z.string(),
      generate: z.boolean().default(false),
      password: z.string().optional(),
      admin: z.boolean().default(false),
    })
    .check(({ value, issues }) => {
      if (!value.generate || value.password === undefined) return;
      const message = 'Give a password or --generate, not both.';
      issues.push({ code: 'custom', input: value.password, path: ['password'], message });
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
