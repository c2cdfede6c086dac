import { z } from 'zod';
import { createUser } from '../../common/organizations/create-user.ts';
import { defineCommand } from './command.ts';
import { OrganizationOption } from './option.schema.ts';

const createUserCommand = defineCommand({
  name: 'user create',
  summary: 'let somebody sign in on the web host',
  options: {
    '--org <id>': 'the organization that he belongs to',
    '--email <address>': 'what he signs in with',
    '--password <text>': 'at least 12 characters',
    '--admin': 'an administrator of this installation, who sees and changes all organizations',
  },
  input: z.strictObject({
    org: OrganizationOption,
    email: z.string(),
    password: z.string(),
    admin: z.boolean().default(false),
  }),

  async run({ org, email, password, admin }, { clock, actor }) {
    const user = await createUser({ organizationId: org, email, password, isAdmin: admin }, clock.now(), actor);
    return { userId: user._id, organizationId: user.organizationId, email: user.email };
  },
  describe: ({ userId, organizationId, email }) => `Created ${userId} (${email}) in ${organizationId}.`,
});

export const userCommands = [createUserCommand];
