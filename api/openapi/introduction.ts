/** What the documentation says before its operations, in Markdown. */
export const introduction = `Real letters by REST: upload a document, name the recipients, and it is printed and posted.
Letters are paid from a prepaid wallet and reported to webhooks.

## Access

Every request carries an API key: \`Authorization: Bearer bjk_…\` or \`X-Api-Key: bjk_…\`. A key has a mode, which its
first letters show (\`bjk_test…\`, \`bjk_live…\`), and scopes, of which each operation names the one that it needs.
Test and live never mix: what one makes, the other does not find. Test letters are rendered, paid from a test wallet
and reported, but never printed.

An application that acts for several customers uses OAuth 2.0 instead: each customer lets it in on a page of ours, and
its access token, \`Authorization: Bearer bja_…\`, pays from that customer's wallet.

## Conventions

JSON in camelCase; money in whole euro cents; times in ISO 8601, UTC, with milliseconds. Texts are trimmed and then hold
at least one character and no control characters; lengths count Unicode code points. A field or parameter that is not
known is refused, so that a misspelt one is noticed. \`null\` in an optional field of a new resource means that it is
absent. Later versions add fields, operations and codes: ignore what you do not know. What is to go is announced by the
headers \`Deprecation\` and \`Sunset\` a year ahead.

## Limits

Reads and writes are counted apart, for each key or each customer's consent, per minute; \`RateLimit\` says what is left. After a 429 wait as long
as \`Retry-After\` says: the next request is then let through.

## Trying again

A letter with an \`externalId\` is never sent or paid twice. After a timeout, a 500 or a \`SERVICE_UNAVAILABLE\`, send the
same request again: if the first one arrived, its mail job is the answer, with status 200 in place of 201.
`;
