/** What a credential may do, as the specification lists it. */
export const scopes = ['read', 'send', 'webhooks', 'addresses', 'wallet'] as const;
export type Scope = (typeof scopes)[number];
