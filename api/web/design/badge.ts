import { html } from 'hono/html';
import type { Texts } from '#api/web/texts/texts.ts';
import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import type { Mode } from '#common/modes.ts';
import type { Markup } from './markup.ts';

export type BadgeKind = 'neutral' | 'info' | 'success' | 'warning' | 'danger';

/** A short label on a coloured background. */
export function badge(kind: BadgeKind, label: string): Markup {
  return html`<span class="badge ${kind}">${label}</span>`;
}

/** Renders labels such as scopes as neutral badges. */
export function badges(labels: readonly string[]): Markup {
  return html`<span class="badges">${labels.map((label) => badge('neutral', label))}</span>`;
}

const statusKinds: Record<MailStatus, BadgeKind> = {
  queued: 'neutral',
  printed: 'info',
  posted: 'info',
  delivered: 'success',
  failed: 'danger',
};

export function statusBadge(texts: Texts, status: MailStatus): Markup {
  return badge(statusKinds[status], texts.words.statuses[status]);
}

export function modeBadge(texts: Texts, mode: Mode): Markup {
  return badge(mode === 'live' ? 'info' : 'neutral', texts.words.modes[mode]);
}
