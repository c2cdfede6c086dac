import { html } from 'hono/html';

/** A piece of a page whose values are escaped already: what the tag `html` makes. */
export type Markup = ReturnType<typeof html>;

/** No markup at all. */
export const nothing = html``;
