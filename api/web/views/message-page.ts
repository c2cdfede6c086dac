import { html } from 'hono/html';
import { layout, type Markup } from './layout.ts';

/** A page that says one thing: what went wrong, and what to do now. */
export function messagePage({ title, message }: { title: string; message: string }): Markup {
  return layout({
    title,
    body: html`<h1>${title}</h1>
      <p>${message}</p>
      <p><a href="/">Back to the start</a></p>`,
  });
}
