import { html } from 'hono/html';
import type { Texts } from '#api/web/texts/texts.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import { type Language, languages } from '#common/languages.ts';
import { scriptPath, styleSheetPath } from './assets.ts';
import { icon } from './icon.ts';
import { type Markup, nothing } from './markup.ts';
import { accountLinks, adminLinks, currentLink, type NavigationLink } from './navigation.ts';
import { notice } from './notice.ts';

/** Each language under its own name, so its readers recognize it. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  fr: 'Français',
  nl: 'Nederlands',
  de: 'Deutsch',
};

/** `full` shows the account navigation, `wide` and `narrow` do not. `narrow` is for pages with a single question. */
export type LayoutKind = 'full' | 'wide' | 'narrow';

type Framed = { title: string; body: Markup; layout: LayoutKind };

/** Renders a page: header, navigation for signed-in users, `main` with the body, and a footer with the languages. */
export function layout(visit: Visit, { title, body, layout: kind }: Framed): Markup {
  const { texts, user } = visit;
  const hasNavigation = user !== null && kind === 'full';
  return htmlDocument({
    language: visit.language,
    title,
    body: html`<a class="skip" href="#content">${texts.frame.skip}</a>
${header(visit, kind)}
<div class="${hasNavigation ? 'columns' : `columns ${kind}`}">
${hasNavigation ? navigation(visit) : nothing}
<main id="content" tabindex="-1">
${visit.notice === null ? nothing : notice('success', texts.notices[visit.notice])}
${body}
</main>
</div>
${footer(visit)}`,
  });
}

type HtmlDocument = { language: Language; title: string; body: Markup };

/** Renders the HTML document around every page, including error pages. */
export function htmlDocument({ language, title, body }: HtmlDocument): Markup {
  return html`<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - Bluejay</title>
<link rel="icon" href="/favicon.ico" sizes="16x16 32x32 48x48">
<link rel="stylesheet" href="${styleSheetPath}">
<script type="module" src="${scriptPath}"></script>
</head>
<body>
${body}
</body>
</html>
`;
}

/** The mark of the product. */
export const mark: Markup = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect class="mark-ground" width="32" height="32" rx="8"/><path class="mark-wing" d="M6 20.500 26 8l-6.500 16.500-5-5z"/><path class="mark-fold" d="m14.500 19.500 11.500-11.500-7 13z"/></svg>`;

/** Renders the product name as a link to the home page. */
export function brand(texts: Texts, href: string): Markup {
  return html`<a class="brand" href="${href}" aria-label="${texts.frame.home}">${mark}Bluejay</a>`;
}

function header(visit: Visit, kind: LayoutKind): Markup {
  const { texts, user, csrf } = visit;
  const own = user && kind === 'full';
  return html`<header class="top">
${brand(texts, visit.href('/'))}
${
  own
    ? html`<p class="who"><span class="visually-hidden">${texts.frame.signedInAs} </span>${user.email}</p>
<form method="post" action="${visit.href('/sign-out')}">${csrf.field()}<button class="button quiet" name="action" value="sign-out">${icon('signOut')}<span class="label">${texts.frame.signOut}</span></button></form>
<button class="button quiet menu-button" type="button" popovertarget="navigation">${icon('menu')}${texts.frame.menu}</button>`
    : nothing
}
${user === null && kind !== 'narrow' ? html`<a class="button quiet" href="${visit.href('/sign-in')}">${texts.frame.signIn}</a>` : nothing}
</header>`;
}

function navigation(visit: Visit): Markup {
  const { texts, user } = visit;
  return html`<nav id="navigation" class="navigation" popover aria-label="${texts.frame.navigation}">
<ul>${accountLinks.map((link) => navigationItem(visit, link))}</ul>
${
  user?.isAdmin
    ? html`<p class="group">${texts.frame.administration}</p>
<ul>${adminLinks.map((link) => navigationItem(visit, link))}</ul>`
    : nothing
}
</nav>`;
}

function navigationItem(visit: Visit, link: NavigationLink): Markup {
  const isCurrent = currentLink(visit.path) === link;
  return html`<li><a href="${link.isExternal ? link.path : visit.href(link.path)}"${isCurrent ? html` aria-current="page"` : nothing}>${icon(link.icon)}${visit.texts.frame.pages[link.label]}</a></li>`;
}

function footer(visit: Visit): Markup {
  const [, search = ''] = visit.askedFor.split(/(?=\?)/, 2);
  const path = visit.path === '/' ? '' : visit.path;
  return html`<footer class="bottom">
<nav aria-label="${visit.texts.frame.language}"><ul>${languages.map((language) => {
    const isCurrent = language === visit.language;
    return html`<li><a href="${`/${language}${path}${search}`}" lang="${language}" hreflang="${language}"${isCurrent ? html` aria-current="true"` : nothing}>${languageNames[language]}</a></li>`;
  })}</ul></nav>
<p>${visit.texts.frame.footer}</p>
</footer>`;
}
