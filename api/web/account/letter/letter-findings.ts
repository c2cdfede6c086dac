import { html } from 'hono/html';
import { type BadgeKind, badge } from '#api/web/design/badge.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import type { Finding, Severity } from '#common/documents/preflight/finding.ts';
import type { Visit } from './texts.ts';

const badgeKinds: Record<Severity, BadgeKind> = { error: 'danger', warning: 'warning', info: 'neutral' };

/** Renders what the rendering found out about a letter. */
export function letterFindings(visit: Visit, findings: readonly Finding[]): Markup {
  const words = visit.texts.findings;
  if (findings.length === 0) return html`<p class="quiet">${words.none}</p>`;
  return html`<p>${words.lead}</p><ul class="findings">${findings.map((finding) => oneFinding(visit, finding))}</ul>`;
}

function oneFinding(visit: Visit, { code, severity, page, message, fix }: Finding): Markup {
  const { texts, format, language } = visit;
  const words = texts.findings;
  const kind = Object.hasOwn(words.kinds, code) ? words.kinds[code as keyof typeof words.kinds] : null;
  const place = page === null ? words.wholeLetter : words.onPage(format.number(page));
  // The message of the API is English only. It has the numbers.
  const english = language === 'en' ? nothing : html` lang="en"`;
  const head = html`${badge(badgeKinds[severity], words.severities[severity])} <span class="quiet">${place}</span>`;
  if (kind === null) return html`<li>${head}<p${english}><strong>${message}</strong> ${fix}</p></li>`;
  return html`<li>${head}
<p><strong>${kind.what}</strong> ${kind.next}</p>
<p class="quiet"${english}>${message}</p></li>`;
}
