import { html } from 'hono/html';
import { layout, type Markup } from './layout.ts';

/** What somebody sees who opens the web host's address: what this is, and where to go on. */
export function homePage({ baseUrl }: { baseUrl: string }): Markup {
  return layout({
    title: 'Welcome',
    body: html`<h1>Bluejay, the postal mailing service</h1>
      <p>This host serves pages for people. Programs send letters through the API at ${baseUrl}.</p>
      <dl>
        <dt><a href="${baseUrl}/docs">Documentation of the API</a></dt>
        <dd>How to price, send and follow a letter from your own system.</dd>
        <dt><a href="/admin/queues">Queues</a></dt>
        <dd>What the workers are doing. For administrators of this installation.</dd>
      </dl>`,
  });
}
