import { z } from 'zod';
import { lineOfText } from '#common/fields/text.schema.ts';
import { languages } from '#common/languages.ts';
import { templateLimits } from './text/text-faults.ts';

const fields = {
  name: lineOfText(100).describe('Your own name for it; it is not printed.'),
  language: z.enum(languages).describe('Of the letter. Decides how words are hyphenated.'),
  text: z
    .string()
    .min(1)
    .max(templateLimits.characters)
    .describe('The letter below the address, in the notation of the guide "Templates".'),
};

/** The body of POST /v1/templates. */
export const TemplateRequest = z.strictObject(fields).meta({ id: 'TemplateRequest' });
export type TemplateRequest = z.infer<typeof TemplateRequest>;

/** The body of PATCH /v1/templates/{templateId}. */
export const TemplatePatch = z
  .strictObject({
    name: fields.name.nullish(),
    language: fields.language.nullish(),
    text: fields.text.nullish(),
    basedOn: z.int().min(1).nullish().describe('The version that you edited: CONFLICT if there is a newer one.'),
  })
  .meta({ id: 'TemplatePatch' });
export type TemplatePatch = z.infer<typeof TemplatePatch>;
