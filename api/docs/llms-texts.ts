import { docsUrlOf } from './docs-url.ts';
import type { Guide } from './read-guides.ts';

/**
 * Writes `/llms.txt`, the list of all documents for programs that read Markdown (llmstxt.org). The base URL is that of the
 * API, without a trailing slash.
 */
export function writeIndex(baseUrl: string, guides: readonly Guide[], errors: readonly Guide[]): string {
  const guideLines = guides.map(
    ({ name, title, summary }) => `- [${title}](${baseUrl}/docs/guides/${name}.md): ${summary}`,
  );
  const errorLines = errors.map(({ name, summary }) => `- [${name}](${docsUrlOf(baseUrl, name)}.md): ${summary}`);
  return `# Bluejay

> Sends physical letters through a REST API: prices, a prepaid wallet, printing, tracking, webhooks, OAuth 2.0.

## Reference

- [OpenAPI 3.1 document](${baseUrl}/v1/openapi.json): every request with its fields, errors and examples
- [All guides and errors in one file](${baseUrl}/llms-full.txt)

## Guides

${guideLines.join('\n')}

## Errors

${errorLines.join('\n')}
`;
}

/** Writes `/llms-full.txt`: all documents, one after the other. */
export function writeFullText(documents: readonly Guide[]): string {
  return documents.map(({ markdown }) => `${markdown.trim()}\n`).join('\n');
}
