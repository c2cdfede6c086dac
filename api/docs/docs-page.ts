import { html } from 'hono/html';

/** The frame of the documentation. Its links are relative, so that it also works below a path of a proxy. */
export const docsPage = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Bluejay API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>
      <p>This page is drawn by JavaScript. <a href="v1/openapi.json">The same as OpenAPI 3.1</a> needs none.</p>
    </noscript>
    <main id="docs"></main>
    <script src="docs/scalar.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;
