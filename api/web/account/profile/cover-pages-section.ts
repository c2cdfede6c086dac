import { html } from 'hono/html';
import { postForm } from '#api/web/design/form.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { section } from '#api/web/design/page-parts.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { type CoverPageRule, coverPageRules } from '#common/organizations/organization.model.ts';
import type { Visit } from './texts.ts';

export const coverPagesPath = '/account/profile/cover-pages';

/** The section of the profile in which an organization chooses when its letters get a cover page. */
export function coverPagesSection(visit: Visit, sent: SentForm, chosen: CoverPageRule): Markup {
  const { profile } = visit.texts;
  const options = coverPageRules.map((rule) => ({ value: rule, ...profile.coverPageRules[rule] }));
  return section(
    profile.coverPages,
    html`<p>${profile.coverPagesLead}</p>${postForm(
      { visit, sent, action: coverPagesPath },
      (fields) => html`${fields.radios({ name: 'coverPages', label: profile.coverPageRule, options, chosen: [chosen] })}
${fields.submit({ value: 'save', label: profile.saveCoverPages })}`,
    )}`,
  );
}
