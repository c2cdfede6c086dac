import { html, raw } from 'hono/html';
import { Marked, type Tokens } from 'marked';
import type { Markup } from '../web/design/markup.ts';
import type { Guide } from './read-guides.ts';

/** Renders a guide as HTML. Raw HTML in its Markdown is shown as text. */
export function renderGuide({ tokens, sections }: Guide): Markup {
  const anchors = sections.values();
  const marked = new Marked({
    renderer: {
      heading({ tokens: inline, depth }) {
        const { anchor = '' } = anchors.next().value ?? {};
        const content = raw(this.parser.parseInline(inline));
        const level = raw(`h${depth}`);
        return depth === 1
          ? String(html`<h1 id="${anchor}">${content}</h1>\n`)
          : String(html`<${level} id="${anchor}"><a href="#${anchor}">${content}</a></${level}>\n`);
      },
      table(token) {
        return String(
          html`<div class="table">${tableOf(token, (cell) => raw(this.parser.parseInline(cell.tokens)))}</div>\n`,
        );
      },
      link({ href, tokens: inline }) {
        return String(html`<a href="${pageOf(href)}">${raw(this.parser.parseInline(inline))}</a>`);
      },
      // Focusable, because long lines are read by scrolling with the keyboard.
      code({ text, lang = '' }) {
        const [, language] = /^\w+ folded (.+)$/.exec(lang) ?? [];
        const block = html`<pre tabindex="0"><code>${text}</code></pre>\n`;
        return String(
          language === undefined ? block : html`<details><summary>${language}</summary>${block}</details>\n`,
        );
      },
      codespan({ text }) {
        // Paths may break after a slash.
        const parts = text.split(/(?<=[\w}]\/)/);
        return String(html`<code>${parts.map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}</code>`);
      },
      html: ({ text }) => String(html`${text}`),
    },
  });
  return raw(marked.parser(tokens));
}

/** Renders a table whose rows become cards on narrow screens. Roles keep its meaning when CSS changes `display`. */
function tableOf({ header, rows }: Tokens.Table, contentOf: (cell: Tokens.TableCell) => Markup): Markup {
  return html`<table role="table">
<thead role="rowgroup"><tr role="row">${header.map((cell) => html`<th role="columnheader" scope="col">${contentOf(cell)}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (row) =>
      html`<tr role="row">${row.map((cell, index) => html`<td role="cell" data-label="${header[index]?.text.replaceAll('`', '')}">${cell.text === '' ? '' : html`<div>${contentOf(cell)}</div>`}</td>`)}</tr>\n`,
  )}</tbody>
</table>`;
}

/**
 * Returns the address of a link: another guide or error page without `.md`, or an anchor or URL as it is. Throws for other
 * links.
 */
function pageOf(href: string): string {
  const [, path, anchor = ''] = /^((?:\.\.\/(?:guides|errors)\/)?[A-Za-z_-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (path !== undefined) return `${path}${anchor}`;
  if (!/^(#|https?:\/\/)/.test(href)) throw new Error(`The guides cannot link to ${href}`);
  return href;
}
