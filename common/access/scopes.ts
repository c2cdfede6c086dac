/** What a credential may do, as listed in the specification. */
export const scopes = ['read', 'send', 'webhooks', 'addresses', 'wallet'] as const;
export type Scope = (typeof scopes)[number];
