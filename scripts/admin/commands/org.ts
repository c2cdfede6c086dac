import { invalid } from '#common/errors.ts';
import { addressFields, checkZip } from '#common/fields/text.schema.ts';
import { type Mode, modes } from '#common/modes.ts';
import { Organization, type OrganizationRecord, type PostalAddress } from '#common/organizations/organization.model.ts';
import { revealJobWebhookSecrets } from '#common/organizations/reveal-job-webhook-secret.ts';
import { openAccount } from '#common/wallet/open-account.ts';
import { rotateJobWebhookSecret } from '#common/webhooks/console/rotate-secret.ts';
import { defineCommand, describeFields, option } from '../command.ts';
import { common, wholeNumber } from '../option.schema.ts';

const createOrg = defineCommand({
  name: 'org create',
  summary: 'create an organization with a test and a live wallet',
  fields: {
    name: option('--name <text>', 'its name, also that of the default sender', addressFields.name),
    line1: option('--line1 <text>', 'street and number', addressFields.line1),
    line2: option('--line2 <text>', 'box, floor', addressFields.line2),
    zip: option('--zip <text>', 'postal code', addressFields.zip),
    city: option('--city <text>', 'city', addressFields.city),
    country: option('--country <code>', 'ISO 3166-1 alpha-2, such as BE', addressFields.country),
  },
  check: (address) => ({ zip: checkZip(address) }),

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
  summary: "show an organization and the secrets that sign its letters' own webhooks",
  fields: { org: common.org },

  async run({ org }, { keyRing, clock, actor }): Promise<ShownOrg> {
    const organization = await findOrganization(org);
    const { name, line1, line2, zip, city, country } = organization.address;
    return {
      organizationId: organization._id,
      name: organization.name,
      address: { name, line1, line2, zip, city, country },
      jobWebhookSecret: await revealJobWebhookSecrets(organization._id, null, { keyRing }, clock.now(), actor),
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

const rotateJobSecret = defineCommand({
  name: 'org rotate-job-webhook-secret',
  summary: "give an organization a new secret for its letters' own webhooks, in one mode",
  fields: {
    ...common.owner,
    overlapHours: option(
      '--overlap-hours <number>',
      'how long the current secret signs beside the new one: 0 to 24, default 24',
      wholeNumber(0, 24).optional(),
    ),
  },

  async run({ org, mode, overlapHours = 24 }, { keyRing, clock, actor }) {
    const { _id: organizationId } = await findOrganization(org);
    const owner = { organizationId, mode };
    return { ...owner, ...(await rotateJobWebhookSecret(owner, overlapHours, { keyRing }, clock.now(), actor)) };
  },
  describe: ({ organizationId, mode, secret, previousSecretUntil }) =>
    describeFields({
      Organization: organizationId,
      [`Job webhook secret, ${mode}`]: secret,
      'Former secret': previousSecretUntil === null ? 'has ended' : `also signs until ${previousSecretUntil}`,
    }),
});

/** Returns the organization that `--org` names. Throws VALIDATION_ERROR when it does not exist. */
export async function findOrganization(organizationId: string): Promise<OrganizationRecord> {
  const organization = await Organization.findById(organizationId).lean<OrganizationRecord>();
  if (!organization) throw invalid(['org'], `There is no organization ${organizationId}.`);
  return organization;
}

export const orgCommands = [createOrg, showOrg, rotateJobSecret];
