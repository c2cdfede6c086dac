import { z } from 'zod';
import { homeCountry } from '#common/countries.ts';
import type { Issue } from '#common/errors.ts';
import { addressFields, checkZip, lineOfText, readPlace, zipRule } from '#common/fields/text.schema.ts';
import { serviceTypes, zones } from '#common/services.ts';
import { TargetUrl } from '#common/webhooks/registry/webhook.schema.ts';
import { Metadata } from './metadata.schema.ts';

/** The specification's limits of one mail job. */
export const mailJobLimits = { pages: 2_000, recipients: 100, files: 20 } as const;

/** A recipient or a sender in a request. */
export const RequestAddress = z.strictObject(addressFields).meta({ id: 'PostalAddressInput', ...zipRule });

/** A reference to an address book entry, in place of an address. */
const AddressReference = z
  .strictObject({ addressId: lineOfText(100).meta({ pattern: '^adr_', examples: ['adr_01m7ynaxr6fqa9hh2zy9myc868'] }) })
  .meta({ id: 'AddressReferenceInput', description: 'An entry of your address book, copied when the letter is sent.' });

/** Each alternative has a required field that the other lacks, so at most one matches. */
const AddressOrReference = z.union([RequestAddress, AddressReference]).meta({ isExclusive: true });

/** A file of a letter. */
export const RequestFile = z
  .strictObject({
    s3Key: lineOfText(1_024).describe('From POST /v1/uploads; the file must be there already.'),
    filename: lineOfText(255).nullish(),
    mimeType: lineOfText(100).nullish(),
    sizeBytes: z.int().min(1).nullish(),
    etag: lineOfText(255).nullish().describe('From a dry run: the file must not have been uploaded again since.'),
  })
  .meta({ id: 'FileInput', description: 'What is given beside the key must equal what is stored.' });

/** The fields that determine a price, shared by a quote and a mail job. */
export const pricedFields = {
  zone: z.enum(zones),
  serviceType: z.enum(serviceTypes),
  pages: z.int().min(1).max(mailJobLimits.pages).describe('Printed pages of all files together.'),
  color: z.boolean().nullish(),
  doubleSided: z.boolean().nullish().describe('Printed on both sides of the paper; true when absent.'),
  acknowledgmentReceipt: z.boolean().nullish(),
};

/** The body of POST /v1/quote. */
export const QuoteRequest = z
  .strictObject({
    ...pricedFields,
    recipientCount: z.int().min(1).max(mailJobLimits.recipients).nullish().describe('1 when absent.'),
  })
  .meta({ id: 'QuoteRequest' });
export type QuoteRequest = z.infer<typeof QuoteRequest>;

/** JSON Schema of the countries in a zone, for documentation only. `checkRecipient` enforces the rule. */
const recipientsIn = (country: object) => ({
  properties: { recipients: { items: { properties: { country }, additionalProperties: true } } },
  additionalProperties: true,
});
const zoneRule = {
  if: { properties: { zone: { const: 'NATIONAL' } }, required: ['zone'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, never awaited
  then: recipientsIn({ const: homeCountry }),
  else: recipientsIn({ not: { const: homeCountry } }),
};

/** Most variables in one request, also those that the template does not have. */
const maxVariables = 500;

/** The values of a template's variables. */
export const MergeVariables = z
  .record(lineOfText(100), z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]))
  .refine((variables) => Object.keys(variables).length <= maxVariables, `At most ${maxVariables} variables.`)
  .meta({
    id: 'MergeVariables',
    maxProperties: maxVariables,
    description:
      'By name; case, spaces, dots, hyphens and underscores of names do not matter. Numbers are printed as JSON writes them: give a text for any other form.',
  });
export type MergeVariables = z.infer<typeof MergeVariables>;

/** A letter is made of files or of a template. */
const contentRule = {
  oneOf: [
    { required: ['files', 'pages'], additionalProperties: true },
    { required: ['templateId'], additionalProperties: true },
  ],
  dependentRequired: { templateVersion: ['templateId'], mergeVariables: ['templateId'] },
};

type Content = Partial<Record<'files' | 'pages' | 'templateId' | 'templateVersion' | 'mergeVariables', unknown>>;

/** The same rule for requests: each field, when it is as it must be, and what to do otherwise. */
const contentChecks: readonly [field: keyof Content, isFine: (content: Content) => boolean, message: string][] = [
  ['files', ({ files, templateId }) => files !== undefined || templateId !== undefined, 'Give files, or a templateId.'],
  ['pages', ({ pages, templateId }) => pages !== undefined || templateId !== undefined, 'Required with files.'],
  [
    'templateId',
    ({ files, templateId }) => files === undefined || templateId === undefined,
    'Give files or a templateId, not both.',
  ],
  ['templateVersion', needsTemplate('templateVersion'), 'Has an effect only with a templateId.'],
  ['mergeVariables', needsTemplate('mergeVariables'), 'Has an effect only with a templateId.'],
];

function needsTemplate(field: keyof Content) {
  return (content: Content) => content[field] === undefined || content.templateId !== undefined;
}

type Payload = { value: unknown; issues: { path?: PropertyKey[] | undefined }[] };

/** Also reports the fault of a body with other faults, but not of a field that has one already. */
const contentRefinements = contentChecks.map(([field, isFine, message]) => {
  const when = ({ value, issues }: Payload) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !issues.some(({ path }) => path?.[0] === field);
  return z.refine<Content>(isFine, { path: [field], message, when });
});

type WithAddresses = { zone?: unknown; recipients?: unknown; sender?: unknown } | null;

/** Judges the addresses that a request gives by its zone and country, also beside faults of other fields. */
export const possibleAddresses = z.superRefine<unknown>(
  (body, context) => {
    const { zone, recipients, sender } = (body ?? {}) as NonNullable<WithAddresses>;
    const judge = (address: unknown, within: unknown, path: Issue['path']) => {
      const place = readPlace(address);
      for (const issue of place ? checkRecipient(within, place) : [])
        context.addIssue({ code: 'custom', path: [...path, ...issue.path], message: issue.message });
    };
    if (Array.isArray(recipients)) for (const [i, each] of recipients.entries()) judge(each, zone, ['recipients', i]);
    judge(sender, null, ['sender']);
  },
  { when: () => true },
);

/** The body of POST /v1/mails. Uploads, templates, tariff, balance and address references are checked later, in the database. */
export const MailRequest = z
  .strictObject({
    ...pricedFields,
    pages: pricedFields.pages
      .optional()
      .describe(
        'Printed pages of all files together. With a template it may be absent; a letter with another number is refused.',
      ),
    scheduledDropAt: z.iso
      .datetime({ offset: true })
      .nullish()
      .describe(
        'Not in the past, at most 180 days ahead. The letter goes with the first cutoff from then on whose batch is still open; absent: from now on. `GET /v1/calendar` lists the cutoffs.',
      ),
    recipients: z
      .array(AddressOrReference)
      .min(1)
      .max(mailJobLimits.recipients)
      .describe(
        'One printed copy each. All in BE when `zone` is NATIONAL, none when it is INTERNATIONAL. An `addressId` is that of a RECIPIENT.',
      ),
    sender: AddressOrReference.nullish().describe(
      'Absent: the default sender of the address book, else your own address. An `addressId` is that of a SENDER.',
    ),
    files: z
      .array(RequestFile)
      .min(1)
      .max(mailJobLimits.files)
      .optional()
      .describe('Printed as one document, in this order. In place of a template.'),
    templateId: lineOfText(100)
      .meta({ pattern: '^tpl_', examples: ['tpl_01m7ynaxr6fqa9hh3vtb0xr0x4'] })
      .optional()
      .describe('From POST /v1/templates: the letter is made of this template, in place of files.'),
    templateVersion: z.int().min(1).max(1_000_000).optional().describe('Of the template; the latest when absent.'),
    mergeVariables: MergeVariables.optional().describe(
      'For the variables of the template. All are needed, but `name`, `street`, `zip`, `city` and `country` are those of the only recipient unless you give them.',
    ),
    externalId: lineOfText(255)
      .nullish()
      .describe('Your own id: a repeat with the same one is never sent or paid twice.'),
    webhookUrl: TargetUrl.nullish().describe('Receives all events of this job in place of your webhooks.'),
    metadata: Metadata.nullish().describe('Your own notes, by key; lists can be filtered by them.'),
    sandboxClockId: lineOfText(100)
      .meta({ pattern: '^clk_' })
      .nullish()
      .describe('Test mode only: the letter follows this clock, from POST /v1/sandbox/clocks.'),
    dryRun: z.boolean().nullish().describe('Check and price only: nothing is stored, debited or sent.'),
    maxTotalCents: z.int().min(0).nullish().describe('Send only when it costs no more than this.'),
  })
  .check(...contentRefinements)
  .check(possibleAddresses)
  .meta({ id: 'MailJobRequest', ...zoneRule, ...contentRule });
export type MailRequest = z.infer<typeof MailRequest>;

/** A request whose files are known: as given, or made of its template. */
export type ReadyMailRequest = Omit<MailRequest, 'files' | 'pages'> & {
  files: z.infer<typeof RequestFile>[];
  pages: number;
};

/** Returns the problems of an address in a zone. Any other `zone`: any country. */
export function checkRecipient(zone: unknown, { country, zip }: { country: string; zip: string }): Issue[] {
  const issues: Issue[] = [];
  const isHome = country === homeCountry;
  if (zone === 'NATIONAL' && !isHome) {
    issues.push({ path: ['country'], message: `Must be ${homeCountry} in the zone NATIONAL.` });
  }
  if (zone === 'INTERNATIONAL' && isHome) {
    issues.push({ path: ['country'], message: `Must not be ${homeCountry} in the zone INTERNATIONAL.` });
  }
  const zipProblem = checkZip({ country, zip });
  if (zipProblem) issues.push({ path: ['zip'], message: zipProblem });

  return issues;
}
