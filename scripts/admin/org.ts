import { z } from 'zod';
import { type Mode, modes } from '../../common/modes.ts';
import { openJobWebhookSecrets } from '../../common/organizations/create-organization.ts';
import type { PostalAddress } from '../../common/organizations/organization.model.ts';
import { addressFields, checkZip } from '../../common/text.schema.ts';
import { openAccount } from '../../common/wallet/open-account.ts';
import { defineCommand, describeFields } from './command.ts';
import { findOrganization } from './find-organization.ts';
import { OrganizationOption } from './option.schema.ts';

const createOrg = defineCommand({
  name: 'org create',
  summary: 'open an organization with a test and a live wallet',
  options: {
    '--name <text>': 'its name, also the sender of its letters',
    '--line1 <text>': 'street and number',
    '--line2 <text>': 'box, floor',
    '--zip <text>': 'postal code',
    '--city <text>': 'city',
    '--country <code>': 'ISO 3166-1 alpha-2, such as BE',
  },
  input: z.strictObject(addressFields).check(({ value, issues }) => {
    const problem = checkZip(value);
    if (problem) issues.push({ code: 'custom', input: value.zip, path: ['zip'], message: problem });
  }),

  async run({ line2, ...lines }, { keyRing, clock, actor }) {
    const wanted = { name: lines.name, address: { ...lines, line2: line2 ?? null } };
    const organization = await openAccount(wanted, keyRing, clock.now(), actor);
    return { organizationId: organization._id };
  },
  describe: ({ organizationId }) => `Opened ${organizationId}.`,
});

type ShownOrg = {
  organizationId: string;
  name: string;
  address: PostalAddress;
  jobWebhookSecret: Record<Mode, string>;
};

const showOrg = defineCommand({
  name: 'org show',
  summary: 'show an organization and the secrets that sign the webhooks of its jobs',
  options: { '--org <id>': 'the organization' },
  input: z.strictObject({ org: OrganizationOption }),

  async run({ org }, { keyRing }): Promise<ShownOrg> {
    const organization = await findOrganization(org);
    const { name, line1, line2, zip, city, country } = organization.address;
    return {
      organizationId: organization._id,
      name: organization.name,
      address: { name, line1, line2, zip, city, country },
      jobWebhookSecret: openJobWebhookSecrets(organization, keyRing),
    };
  },
  describe: ({ organizationId, name, address, jobWebhookSecret }) =>
    describeFields({
      Organization: organizationId,
      Name: name,
      Address: [address.line1, address.line2, `${address.zip} ${address.city}`, address.country]
        .filter((line) => line !== null)
        .join(', '),
      ...Object.fromEntries(modes.map((mode) => [`Job webhook secret, ${mode}`, jobWebhookSecret[mode]])),
    }),
});

export const orgCommands = [createOrg, showOrg];
