import { commonErrors } from '#api/openapi/describe-errors.ts';
import type { AnyRoute } from '#api/route.ts';
import { type ErrorCode, errorTable } from '#common/errors.ts';
import { code, markdownTable } from '../markdown-table.ts';
import { errorHelp } from './error-help.ts';

/** Returns the page of an error in Markdown: its meaning, causes, how to go on, and the requests that can receive it. */
export function errorPage(errorCode: ErrorCode, routes: readonly AnyRoute[]): string {
  const { status, message, retry } = errorTable[errorCode];
  const { meaning, causes, fix } = errorHelp[errorCode];
  return [
    `# ${errorCode}`,
    meaning,
    markdownTable(['Status', 'Message', 'Retry?'], [[String(status), message, retry]]),
    '## Causes',
    causes.map((cause) => `- ${cause}`).join('\n'),
    '## What to do',
    fix,
    '## Requests',
    requestsOf(errorCode, routes),
    'All codes are in [Errors](../guides/errors.md).',
    '',
  ].join('\n\n');
}

function requestsOf(errorCode: ErrorCode, routes: readonly AnyRoute[]): string {
  if (commonErrors.includes(errorCode)) return 'Every request can be answered with it.';
  const own = routes.filter(({ errors }) => errors.includes(errorCode));
  return own.map(({ method, path }) => `- ${code(`${method.toUpperCase()} ${path}`)}`).join('\n');
}
