import { z } from 'zod';
import type { Credential } from '#common/access/credential.ts';
import { CreatedBy, toCreatedBy } from '#common/audit/created-by.ts';
import { languages } from '#common/languages.ts';
import { recipientVariableOf } from './recipient-values.ts';
import type { TemplateRecord, TemplateVersion } from './template.model.ts';
import { parseTemplate } from './text/parse-template.ts';
import { printedKeys } from './text/template-blocks.ts';
import { variableKey } from './text/variable-names.ts';

const shared = {
  templateId: z.string(),
  version: z.int().describe('Each edit adds a version. Letters keep theirs.'),
  name: z.string(),
  language: z.enum(languages),
  createdBy: CreatedBy,
  createdAt: z.iso.datetime(),
};
type Viewer = Pick<Credential, 'actor'>;

/** A template in lists. */
export const TemplateSummary = z
  .object({ ...shared, updatedAt: z.iso.datetime().describe('When the latest version was made.') })
  .meta({ id: 'TemplateSummary' });
export type TemplateSummary = z.infer<typeof TemplateSummary>;

/** A version of a template in lists, without its text. */
export const TemplateVersionSummary = z.object(shared).meta({ id: 'TemplateVersionSummary' });

/** A version of a template. */
export const TemplateView = z
  .object({
    ...shared,
    text: z.string(),
    variables: z
      .array(
        z.object({
          name: z.string(),
          isPrinted: z.boolean().describe('false for one that only shows or hides text: it may be empty, as a no.'),
          isRecipient: z
            .boolean()
            .describe(
              'true for one that has a value of the only recipient, unless you give one: see `mergeVariables`.',
            ),
        }),
      )
      .describe('In the order of the text. A letter needs a value for each, given by you or of its recipient.'),
  })
  .meta({ id: 'Template' });
export type TemplateView = z.infer<typeof TemplateView>;

/** A letter made of a template to look at. */
export const TemplatePreview = z
  .object({
    templateId: z.string(),
    version: z.int(),
    url: z.string().describe('Of the letter as PDF, without the address. Works for five minutes.'),
    expiresAt: z.iso.datetime(),
    pages: z.int(),
    missingVariables: z.array(z.string()).describe('Shown as `((name))`. A letter with them is refused.'),
    unusedVariables: z.array(z.string()).describe('Given, but the template has no such variable.'),
  })
  .meta({ id: 'TemplatePreview' });
export type TemplatePreview = z.infer<typeof TemplatePreview>;

export function toTemplateSummary(row: TemplateRecord, viewer: Viewer): TemplateSummary {
  const { _id: templateId, version, name, language, createdAt, updatedAt } = row;
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return { templateId, version, name, language, createdBy: toCreatedBy(row, viewer), ...times };
}

export function toVersionSummary(row: TemplateVersion, viewer: Viewer) {
  const { templateId, version, name, language } = row;
  const made = { createdBy: toCreatedBy(row, viewer), createdAt: row.createdAt.toISOString() };
  return { templateId, version, name, language, ...made };
}

export function toTemplateView(row: TemplateVersion, viewer: Viewer): TemplateView {
  return { ...toVersionSummary(row, viewer), text: row.text, variables: describeVariables(row.text) };
}

/** Returns the variables of a text, in its order. */
export function describeVariables(text: string): TemplateView['variables'] {
  const { blocks, variables } = parseTemplate(text);
  const printed = printedKeys(blocks);
  return variables.map((name) => ({
    name,
    isPrinted: printed.has(variableKey(name)),
    isRecipient: recipientVariableOf(name) !== undefined,
  }));
}
