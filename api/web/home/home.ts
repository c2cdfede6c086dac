import { html } from 'hono/html';
import { icon } from '../design/icon.ts';
import { view } from '../framework/answer.ts';
import { definePage } from './texts.ts';

/** The home page: what the product is, with links to the account and the documentation. */
export const homePage = definePage({
  path: '/',

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
