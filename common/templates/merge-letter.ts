import type { SetLetter, TypesettingPool } from '#common/documents/typesetting/typesetting-pool.ts';
import { readLetterheadContent } from './letterheads.ts';
import type { TemplateVersion } from './template.model.ts';
import { fillTemplate, type MergeVariables, textsOf } from './text/fill-template.ts';
import { parseTemplate } from './text/parse-template.ts';

export type MergeDeps = { typesetting: TypesettingPool };

/**
 * Makes a letter of a template version, with the organization's letterhead of this moment. The caller has found no fault
 * with `findVariableFaults`. The same input gives the same bytes. For workers: it typesets in processes of this one.
 * Throws `LetterError` for a letter that cannot be typeset, otherwise as `TypesettingPool.typeset`.
 */
export async function mergeLetter(
  version: Pick<TemplateVersion, 'organizationId' | 'language' | 'text'>,
  variables: MergeVariables,
  { typesetting }: MergeDeps,
  signal: AbortSignal,
): Promise<SetLetter> {
  const { organizationId, language, text } = version;
  const letterhead = await readLetterheadContent(organizationId);
  const blocks = fillTemplate(parseTemplate(text).blocks, textsOf(variables, language));
  return await typesetting.typeset({ language, letterhead, blocks }, organizationId, signal);
}
