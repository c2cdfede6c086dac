import { html } from 'hono/html';
import type { Language } from '../../../common/languages.ts';
import type { Markup } from '../markup.ts';
import type { Texts } from '../texts/en.ts';
import { brand, htmlDocument } from './layout.ts';

type ErrorPage = {
  language: Language;
  texts: Texts;
  code: Exclude<keyof Texts['errors'], 'back' | 'reference'>;
  requestId: string;
};

/** A page that says what went wrong and what to do now. It needs nothing that could be what has failed. */
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
