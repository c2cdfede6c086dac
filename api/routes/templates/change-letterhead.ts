import { aLetterhead } from '#api/openapi/examples/template-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { LetterheadPatch, LetterheadView, toLetterheadView } from '#common/templates/letterhead.schema.ts';
import { saveLetterhead } from '#common/templates/letterheads.ts';

export const changeLetterhead = defineRoute({
  method: 'patch',
  path: '/v1/templates/letterhead',
  scope: 'send',
  // Test keys are handled less carefully, and both modes print it.
  mode: 'live',
  operationId: 'changeLetterhead',
  summary: 'Change the letterhead',
  description:
    'Absent fields stay unchanged. It is printed on letters of both modes that are made from now on, so only live credentials may change it.',
  body: LetterheadPatch,
  responses: { 200: LetterheadView },
  errors: [],
  example: {
    body: { senderLines: aLetterhead.senderLines, footerLines: aLetterhead.footerLines },
    responses: { 200: aLetterhead },
  },

  async handle({ body: { logo, ...lines }, credential, now }) {
    const newLogo = logo === undefined ? 'keep' : logo === null ? null : Buffer.from(logo, 'base64');
    const { organizationId, actor: by } = credential;
    const row = await saveLetterhead(organizationId, { ...lines, logo: newLogo }, { by, at: now });
    return reply(200, toLetterheadView(row));
  },
});
