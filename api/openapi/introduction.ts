/** Introduction of the documentation, in Markdown. */
export const introduction = `Send physical letters through a REST API. Upload a document and name the recipients. We print and post it.
Letters are paid from a prepaid wallet, and webhooks report their progress.

## Authentication

Every request carries an API key: \`Authorization: Bearer bjk_…\` or \`X-Api-Key: bjk_…\`. A key has a mode, which its
prefix shows (\`bjk_test…\`, \`bjk_live…\`), and scopes. Each operation names the scope that it requires. Test and live
data are fully isolated. Test letters are rendered, paid from a test wallet and reported, but never printed.

Applications that act for several customers use OAuth 2.0 instead. Each customer grants access on a page of ours, and the
access token, \`Authorization: Bearer bja_…\`, pays from that customer's wallet.

## Conventions

Bodies are JSON in camelCase. Amounts are integers in euro cents. Times are ISO 8601 in UTC with milliseconds. Strings are
trimmed, must then have at least one character and must not contain control characters. Lengths count Unicode code points.
Unknown fields and parameters are refused, which catches misspelled names. In the request for a new resource, \`null\` in
an optional field means that it is absent. Later versions can add fields, operations and codes: ignore what you do not
know. Removals are announced one year ahead in the headers \`Deprecation\` and \`Sunset\`.

## Rate limits

Reads and writes are counted separately per minute, for each API key and each OAuth grant. \`RateLimit\` shows the
remaining quota. After a 429, wait for the time in \`Retry-After\`. The next request is then accepted.

## Retries

A letter with an \`externalId\` is never sent or paid twice. After a timeout, a 500 or \`SERVICE_UNAVAILABLE\`, send the
same request again. If the first request arrived, the response is its mail job with status 200 instead of 201.
`;
