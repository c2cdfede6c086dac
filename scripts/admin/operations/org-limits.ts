import { z } from 'zod';
import {
  limitNames,
  limitsOf,
  organizationLimits,
  setOrganizationLimit,
} from '#common/operations/organization-limits.ts';
import { defineCommand, describeFields, option } from '../command.ts';
import { findOrganization } from '../commands/org.ts';
import { common, oneOf, wholeNumber } from '../option.schema.ts';

const setLimit = defineCommand({
  name: 'org set-limit',
  summary: 'set a limit of one organization in place of that of the installation',
  fields: {
    org: common.org,
    limit: option('--limit <name>', limitNames.join(', '), oneOf(limitNames)),
    value: option('--value <number>', 'a whole number, or default', z.string()),
  },
  check: ({ limit, value }) => ({ value: value === 'default' ? null : findFault(limit, value) }),

  async run({ org, limit, value }, { clock, actor }) {
    const { _id: organizationId } = await findOrganization(org);
    const wanted = value === 'default' ? null : Number(value);
    await setOrganizationLimit({ organizationId, name: limit, value: wanted }, actor, clock.now());
    return { organizationId, limit, value: wanted };
  },
  describe: ({ organizationId, limit, value }) =>
    `${organizationId}: ${limit} is ${value ?? 'as for the installation'}. Every process knows within 30 s.`,
});

function findFault(name: (typeof limitNames)[number], value: string): string | null {
  const parsed = wholeNumber(organizationLimits[name].min, organizationLimits[name].max).safeParse(value);
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'Is not a number.');
}

const showLimits = defineCommand({
  name: 'org limits',
  summary: 'show the limits that are set for an organization',
  fields: { org: common.org },

  async run({ org }) {
    const organization = await findOrganization(org);
    return { organizationId: organization._id, limits: limitsOf(organization) };
  },
  describe: ({ organizationId, limits }) =>
    Object.keys(limits).length === 0
      ? `${organizationId} has the limits of the installation.`
      : describeFields({ Organization: organizationId, ...limits }),
});

export const orgLimitCommands = [setLimit, showLimits];
