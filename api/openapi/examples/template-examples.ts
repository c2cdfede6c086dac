import type { LetterheadView } from '#common/templates/letterhead.schema.ts';
import type { TemplatePreview, TemplateSummary, TemplateView } from '#common/templates/template.view.ts';
import { byKey, createdAt, expiresAt, temporaryUrl } from './shared-examples.ts';

export const aLetterhead = {
  senderLines: ['Example Ltd', 'Rue Haute 1, 1000 Bruxelles'],
  footerLines: ['VAT BE 0123.456.749'],
  logo: null,
  updatedAt: createdAt,
} satisfies LetterheadView;
export const templateId = 'tpl_01m7ynaxr6fqa9hh3vtb0xr0x4';
export const templateRequest = {
  name: 'Payment reminder',
  language: 'en',
  text: '# Your invoice ((invoice))\n\nDear ((name)),\n\nPlease pay **((amount)) EUR** within 14 days.',
} as const;
export const aTemplate = {
  templateId,
  version: 1,
  ...templateRequest,
  variables: [
    { name: 'invoice', isPrinted: true, isRecipient: false },
    { name: 'name', isPrinted: true, isRecipient: true },
    { name: 'amount', isPrinted: true, isRecipient: false },
  ],
  ...byKey,
  createdAt,
} satisfies TemplateView;
export const aTemplateSummary = {
  ...{ templateId, version: 1, name: templateRequest.name, language: templateRequest.language },
  ...{ ...byKey, createdAt, updatedAt: createdAt },
} satisfies TemplateSummary;
export const mergeVariables = { invoice: '2026-0012', name: 'Ada Lovelace', amount: '120.00' };
export const aTemplatePreview = {
  ...{ templateId, version: 1, pages: 1, missingVariables: [], unusedVariables: [] },
  ...{ url: temporaryUrl('letter.pdf'), expiresAt },
} satisfies TemplatePreview;
