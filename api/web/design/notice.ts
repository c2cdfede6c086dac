import { html } from 'hono/html';
import { icon } from './icon.ts';
import type { Markup } from './markup.ts';

export type NoticeKind = 'success' | 'info' | 'warning' | 'danger';

const icons = { success: 'check', info: 'info', warning: 'alert', danger: 'alert' } as const;

/** Renders a box with one message. Assistive technology announces `success` when the page opens. */
export function notice(kind: NoticeKind, content: string | Markup): Markup {
  const role = kind === 'success' ? html` role="status"` : html``;
  return html`<div class="notice ${kind}"${role}>${icon(icons[kind])}<div>${content}</div></div>`;
}
