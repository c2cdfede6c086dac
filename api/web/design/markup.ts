import { html } from 'hono/html';

/** An HTML fragment with escaped values, as returned by the `html` tag. */
export type Markup = ReturnType<typeof html>;

/** Empty markup. */
export const nothing = html``;
