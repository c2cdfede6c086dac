import { html } from 'hono/html';
import { view } from '../answer.ts';
import { definePage } from '../page.ts';
import { icon } from '../views/icon.ts';

/** What somebody sees who opens the web host's address: what this is, and where to go on. */
export const homePage = definePage({
  path: '/',
  access: 'anyone',

  async show({ visit }, { baseUrl }) {
    const { home, frame } = visit.texts;
    const { price, proof, sandbox } = home.points;
    const points = [
      ['tag', price],
      ['webhook', proof],
      ['layers', sandbox],
    ] as const;
    return view({
      title: home.title,
      layout: visit.user ? 'full' : 'wide',
      body: html`<div class="hero">
<h1>${home.title}</h1>
<p class="lead">${home.lead}</p>
<p class="actions">
<a class="button primary" href="${visit.href(visit.user ? '/account' : '/sign-in')}">${visit.user ? home.toAccount : home.signIn}</a>
<a class="button plain" href="${baseUrl}/docs">${home.docs}</a>
</p>
</div>
<ul class="points">${points.map(([name, { title, text }]) => html`<li class="sheet">${icon(name)}<h2>${title}</h2><p>${text}</p></li>`)}</ul>
<p class="quiet">${home.forPrograms} <code>${baseUrl}</code>${visit.user?.isAdmin ? html` <a href="/admin/queues">${frame.pages.queues}</a>` : ''}</p>`,
    });
  },
});
