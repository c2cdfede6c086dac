import { html } from 'hono/html';

/** A piece of a page whose values are escaped already. */
export type Markup = ReturnType<typeof html>;

/** The frame of every page of the web host: one `main` around `body`, which brings the one `h1`. */
export function layout({ title, body }: { title: string; body: Markup }): Markup {
  return html`<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} - Bluejay</title>
    <link rel="icon" href="/favicon.ico" sizes="16x16 32x32 48x48">
    <link rel="stylesheet" href="/style.css">
  </head>
  <body>
    <main>
      ${body}
    </main>
  </body>
</html>
`;
}
