import { html } from 'hono/html';
import type { Texts } from '#api/web/texts/texts.ts';
import type { Language } from '#common/languages.ts';
import { brand, htmlDocument } from './layout.ts';
import type { Markup } from './markup.ts';

type ErrorPage = {
  language: Language;
  texts: Texts;
  code: Exclude<keyof Texts['errors'], 'back' | 'reference'>;
  requestId: string;
};

/** Returns an error page. It uses no store or session, because one of them may be what failed. */
export function errorPage({ language, texts, code, requestId }: ErrorPage): Markup {
  const { title, message } = texts.errors[code];
  return htmlDocument({
    language,
    title,
    body: html`<header class="top">${brand(texts, `/${language}`)}</header>
<div class="columns narrow">
<main id="content">
<h1>${title}</h1>
<p class="lead">${message}</p>
<p><a class="button" href="/${language}">${texts.errors.back}</a></p>
<p class="reference">${texts.errors.reference} <code>${requestId}</code></p>
</main>
</div>`,
  });
}
