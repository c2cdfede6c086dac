import type { ErrorCode } from '#common/errors.ts';

/** What the page of an error says besides its status, message and retry. Markdown; links are those of a guide. */
export type ErrorHelp = { meaning: string; causes: readonly string[]; fix: string };

/** The texts of the error pages. A code without a text does not compile. */
export const errorHelp: Record<ErrorCode, ErrorHelp> = {
  VALIDATION_ERROR: {
    meaning: 'The path, query or body of the request breaks a rule. Nothing was stored, sent or debited.',
    causes: [
      'A field is missing, misspelled or of the wrong type. Unknown fields are refused, so that a typo is not ignored.',
      'A value is outside its limits; see [Limits](../guides/limits.md).',
      'A field names something that does not exist or cannot be used, such as a file that was not uploaded yet.',
      'The body is not valid JSON.',
    ],
    fix: `Read \`issues\`. It lists all faults at once, each with the \`path\` of its field and a \`message\` that says what is
expected. Correct them and send the request again.`,
  },
  UNAUTHORIZED: {
    meaning: 'The request has no valid credential.',
    causes: [
      'The header `Authorization: Bearer <key>` or `X-Api-Key` is missing.',
      'The key was revoked or mistyped.',
      'The OAuth access token has expired, or the user has disconnected the application.',
    ],
    fix: `Check that the key is complete: it begins with \`bjk_\`. Create a new one in the account area if it is lost. With
OAuth, use the refresh token once, then repeat the request; see [OAuth applications](../guides/oauth.md).`,
  },
  INSUFFICIENT_FUNDS: {
    meaning:
      'The wallet of this mode does not hold enough money for the letter. Nothing was debited, and no letter exists.',
    causes: [
      'The balance is below the total of all copies. A letter is paid in full when it is created.',
      'Other letters were paid at the same moment.',
    ],
    fix: `Compare \`GET /v1/wallet\` with the total of \`POST /v1/quote\`. Ask the operator for a top-up (in test mode,
\`POST /v1/wallet/test-top-up\`), then repeat the request with the same \`externalId\`. \`isLow\` of the wallet warns in
time; see [Wallet and statements](../guides/wallet.md).`,
  },
  FORBIDDEN: {
    meaning: 'The credential is valid, but it may not do this.',
    causes: [
      'It lacks the scope of this request; `message` names the scope.',
      'It is a test key for a request of live mode, or the reverse.',
      'The request is not available to applications, only to keys of the organization.',
    ],
    fix: `Use a key with the scope and mode that \`message\` names; [API conventions](../guides/conventions.md) lists the scope
of every request. An application asks its user for more scopes by a new authorization.`,
  },
  NOT_FOUND: {
    meaning: 'There is nothing at this address that this credential can see.',
    causes: [
      'The id is mistyped, or it belongs to another organization or to the other mode.',
      'The resource was deleted, or its retention has ended.',
      'The path is wrong. Paths are case-sensitive and have no slash at the end.',
    ],
    fix: 'Compare the id with the answer that named it first, and check that the key has the mode of that request.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The address exists, but not with this method.',
    causes: ['The client sent, for example, PUT where a resource is changed by PATCH.'],
    fix: 'The header `Allow` of the answer lists the methods. The API reference shows them with their fields.',
  },
  CONFLICT: {
    meaning: 'The resource is in a state that does not allow this. Nothing was changed.',
    causes: [
      'The letter or bulk has moved on since you read it.',
      '`simulate` names a status that is not ahead of the current one, or the letter is final.',
      'Another request changed the same resource at the same moment.',
    ],
    fix: `Read the resource again and decide by its current state; \`message\` names it. The detail of a letter lists in
\`actions\` what is possible now.`,
  },
  LIMIT_REACHED: {
    meaning: 'An organization can hold only so many of these, and it does.',
    causes: [
      'The number of API keys, webhooks, templates, addresses or unfinished bulks is at its limit.',
      'Uploads that no letter uses yet fill the storage.',
      'A top-up of the test wallet would exceed its largest balance.',
    ],
    fix: `Delete what is no longer needed; \`message\` says which limit it is. Unused uploads go by themselves. All limits of
this installation are in [Limits](../guides/limits.md); an operator can raise some.`,
  },
  NOT_CANCELLABLE: {
    meaning: 'The letter can no longer be stopped. It goes its way, and nothing was refunded.',
    causes: [
      'The batch of its cutoff has closed, or it was printed already.',
      'It has failed, so there is nothing to cancel.',
    ],
    fix: '`cancellableUntil` in the detail of a letter says until when it can be cancelled. Cancel before that time.',
  },
  PRICE_CHANGED: {
    meaning: 'The letter would cost more than the request allows by `maxTotalCents`. Nothing was debited.',
    causes: ['The tariffs changed after the quote.', 'Pages, copies, zone or service differ from those of the quote.'],
    fix: 'Ask `POST /v1/quote` for the current price, and repeat the request with a `maxTotalCents` that accepts it.',
  },
  WEBHOOK_DISABLED: {
    meaning: 'Deliveries of a disabled webhook cannot be sent again.',
    causes: ['It was disabled by hand, or because its endpoint failed for too long.'],
    fix: `Fix the endpoint, enable the webhook by \`PATCH\` with \`{ "status": "active" }\`, then repeat the request; see
[Webhooks](../guides/webhooks.md).`,
  },
  DELIVERY_IN_FLIGHT: {
    meaning: 'The delivery is being sent at this moment, so it cannot be sent a second time now.',
    causes: ['An automatic attempt and your request met.'],
    fix: 'Read the attempts of the delivery in a few seconds. If the attempt failed, repeat the request.',
  },
  IDEMPOTENCY_MISMATCH: {
    meaning: 'The `Idempotency-Key` of this request was used before, with another body. Nothing was done.',
    causes: [
      'A program reuses one key for different requests.',
      'A repeated request was built anew and differs, for instance in a time or in the order of its recipients.',
    ],
    fix: `To repeat a request, send the same body. For something new, use a new key. Better for letters is \`externalId\`, such as
the number of the invoice: a repeat returns the first letter, whatever the rest of the body is.`,
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body of the request is larger than 1 MiB.',
    causes: ['A document was put into the JSON body.'],
    fix: 'Ask `POST /v1/uploads` for an upload URL, PUT the file there, and name its `s3Key` in the request.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body is not declared as JSON in UTF-8.',
    causes: [
      'The header `Content-Type: application/json` is missing or differs.',
      'The character set is not UTF-8, or the compression is none of gzip, deflate and br.',
    ],
    fix: 'Send the body with `Content-Type: application/json`, in UTF-8.',
  },
  RATE_LIMITED: {
    meaning: 'Too many requests came in a short time. This one was not processed.',
    causes: [
      'One key exceeds its requests per minute; reads and writes are counted apart.',
      'Too many requests with a wrong credential came from one address.',
    ],
    fix: `Wait as many seconds as \`Retry-After\` says, then repeat the request. The headers \`RateLimit\` and
\`RateLimit-Policy\` show what is left, so that a client can slow down before. The rates are in
[Limits](../guides/limits.md). Webhooks replace polling.`,
  },
  INTERNAL_ERROR: {
    meaning: 'The service has a fault. The request may or may not have been processed.',
    causes: ['A bug, or a failure that the service does not know yet.'],
    fix: `Repeat the request with the same \`externalId\` or \`Idempotency-Key\`: a letter that exists already is returned and
not sent twice. If it happens again, give the operator the header \`X-Request-Id\` of the answer.`,
  },
  PRICING_UNAVAILABLE: {
    meaning: 'This installation has no price for the letter. Nothing was debited.',
    causes: ['The operator has imported no tariff for the zone, service, weight and day of the letter.'],
    fix: 'Tell the operator the country and `serviceType`. Until there is a tariff, choose another `serviceType`.',
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'The service cannot process the request right now. It may or may not have been processed.',
    causes: [
      'A database or store is restarting or unreachable.',
      'The process is shutting down or overloaded.',
      'A report covers more than can be read in 8 seconds.',
    ],
    fix: `Wait as many seconds as \`Retry-After\` says, then repeat the request with the same \`externalId\` or
\`Idempotency-Key\`: nothing is sent twice. Ask for a shorter period if it was a report.`,
  },
};
