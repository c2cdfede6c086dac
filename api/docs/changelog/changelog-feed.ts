import { html, raw } from 'hono/html';
import type { Markup } from '#api/web/design/markup.ts';
import type { Changelog } from './write-changelog.ts';

/** Writes the changelog as an Atom feed (RFC 4287), an entry for each day. The base URL has no trailing slash. */
export function changelogFeed({ days }: Changelog, baseUrl: string): Markup {
  const page = `${baseUrl}/docs/guides/changelog`;
  return html`${raw('<?xml version="1.0" encoding="utf-8"?>')}
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Changes of the Bluejay API</title>
<id>${page}</id>
<link href="${page}"/>
<link rel="self" href="${baseUrl}/docs/changelog.atom"/>
<author><name>Bluejay</name></author>
<updated>${momentOf(days[0]?.date)}</updated>
${days.map(
  ({ date, changes }) => html`<entry>
<title>${date}</title>
<id>${page}#${date}</id>
<link href="${page}#${date}"/>
<updated>${momentOf(date)}</updated>
<content type="text">${changes.map((change) => change.replaceAll('`', '')).join('\n')}</content>
</entry>
`,
)}</feed>
`;
}

function momentOf(date = '1970-01-01'): string {
  return `${date}T00:00:00Z`;
}
