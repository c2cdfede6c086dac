import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import { icon } from './icon.ts';

/** What a notice is about: something that went well, should be known, should be looked after, or went wrong. */
export type NoticeKind = 'success' | 'info' | 'warning' | 'danger';

const icons = { success: 'check', info: 'info', warning: 'alert', danger: 'alert' } as const;

/** A box with one message. `success` is read out by assistive technology when the page is opened. */
export function notice(kind: NoticeKind, content: string | Markup): Markup {
  const role = kind === 'success' ? html` role="status"` : html``;
  return html`<div class="notice ${kind}"${role}>${icon(icons[kind])}<div>${content}</div></div>`;
}
