export type { BodyOf, EntryOf, FilterOf, OperationId, QueryOf, ResultOf, Schemas } from './api/types.ts';
export { Bluejay, type BluejayOptions } from './bluejay.ts';
export {
  AuthenticationError,
  BluejayError,
  ConflictError,
  ConnectionError,
  InsufficientFundsError,
  InvalidRequestError,
  type Issue,
  NotFoundError,
  OAuthError,
  PermissionError,
  RateLimitError,
  ServerError,
  WebhookVerificationError,
} from './errors.ts';
export type { List } from './http/list.ts';
export { type Credential, type RequestOptions, version } from './http/transport.ts';
export {
  type AuthorizationRequest,
  BluejayOAuth,
  type OAuthOptions,
  type Scope,
  type Tokens,
} from './oauth/bluejay-oauth.ts';
export type { SavedTokens, TokenSource } from './oauth/token-source.ts';
export type { StreamedEvent, StreamOptions } from './resources/events.ts';
export type { FileSource, MimeType } from './resources/file-source.ts';
export type { SentLetter } from './resources/mails.ts';
export type { SendFileOptions } from './resources/send-file.ts';
export { expressWebhook, honoWebhook, nextWebhook, type OnEvent } from './webhooks/handlers.ts';
export { type VerifyOptions, verifyWebhook, type WebhookEvent, type WebhookHeaders } from './webhooks/verify.ts';
