import { html } from 'hono/html';
import { icon } from '../web/design/icon.ts';
import { mark } from '../web/design/layout.ts';
import { type Markup, nothing } from '../web/design/markup.ts';
import type { Guide } from './read-guides.ts';
import { renderGuide } from './render-guide.ts';
import { searchGuides, wordsOf } from './search-guides.ts';

/** Renders the page of a guide or of an error. Each has a twin in Markdown. */
export function guidePage(guides: readonly Guide[], guide: Guide): Markup {
  return page({
    title: guide.title,
    guides,
    current: guide,
    content: html`<article class="guide">${renderGuide(guide)}</article>`,
  });
}

/** Renders the list of all guides. */
export function guideList(guides: readonly Guide[]): Markup {
  const content = html`<div class="intro"><h1>Guides</h1>
<p class="lead">How to use the API, task by task. The <a href="../docs">API reference</a> describes every field.</p></div>
${searchForm('', 'guides')}
<ul class="cards">${guides.map(({ name, title, summary }) => html`<li><a href="guides/${name}"><strong>${title}</strong></a><p>${summary}</p></li>`)}</ul>`;
  return page({ title: 'Guides', guides, content });
}

/** Renders the sections that contain all words of a query. */
export function searchPage(guides: readonly Guide[], query: string): Markup {
  const words = wordsOf(query);
  const hits = searchGuides(guides, words);
  const count = hits.length === 1 ? '1 section' : `${hits.length} sections`;
  const content = html`<h1>Search</h1>
${searchForm(query, 'guides')}
<p role="status">${hits.length === 0 ? 'No section contains all of these words. Try fewer or shorter words.' : count}</p>
<ol class="cards">${hits.map(({ guide, section, excerpt }) => html`<li><a href="guides/${guide.name}#${section.anchor}"><strong>${section.heading}</strong></a> <span class="quiet">${section.depth === 1 ? nothing : guide.title}</span><p>${marked(excerpt, words)}</p></li>`)}</ol>`;
  return page({ title: `Search: ${query}`, guides, content });
}

/** Marks the words in a text. */
function marked(text: string, words: readonly string[]): Markup {
  const pattern = new RegExp(`(${words.map((word) => RegExp.escape(word)).join('|')})`, 'gi');
  return html`${text.split(pattern).map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))}`;
}

function searchForm(query: string, action: string): Markup {
  return html`<form class="search" role="search" action="${action}"><input type="search" name="q" value="${query}" maxlength="100" required aria-label="Search the guides" placeholder="Search the guides"><button class="button primary">Search</button></form>`;
}

type Page = { title: string; guides: readonly Guide[]; current?: Guide; content: Markup };

/** Renders the HTML document. Links are relative, so it also works behind a proxy that adds a path prefix. */
function page({ title, guides, current, content }: Page): Markup {
  const up = current === undefined ? '' : '../';
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - Bluejay guides</title>
<link rel="icon" href="data:,">
${current === undefined ? nothing : html`<link rel="alternate" type="text/markdown" href="${current.name}.md">`}
<link rel="stylesheet" href="${up}guides.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${up}guides">${mark}Bluejay guides</a>
<a class="button quiet${current === undefined ? '' : ' has-menu'}" href="${up}../docs">API reference</a>
${current === undefined ? nothing : html`<button class="button quiet menu-button" type="button" popovertarget="navigation">${icon('menu')}Menu</button>`}
</header>
<div class="columns${current === undefined ? ' wide' : ''}">
${current === undefined ? nothing : navigation(guides, current)}
<main id="content" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`;
}

/** Renders the guides with the sections of the current one. A sidebar on wide screens, a menu on narrow ones. */
function navigation(guides: readonly Guide[], current: Guide): Markup {
  return html`<nav id="navigation" class="navigation" popover aria-label="Guides">
${searchForm('', '../guides')}
<ul>${guides.map((guide) => html`<li><a href="../guides/${guide.name}"${guide === current ? html` aria-current="page"` : nothing}>${guide.title}</a>${guide === current ? sectionLinks(guide) : nothing}</li>`)}
<li><a href="../../docs">API reference</a></li></ul>
</nav>`;
}

function sectionLinks({ sections }: Guide): Markup {
  const linked = sections.filter(({ depth }) => depth === 2);
  return html`<ul class="sections">${linked.map(({ anchor, heading }) => html`<li><a href="#${anchor}">${heading}</a></li>`)}</ul>`;
}
