import { html } from 'hono/html';

/** The HTML shell of the API reference. Links are relative, so it also works behind a proxy that adds a path prefix. */
export const docsPage = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Bluejay API</title>
    <link rel="icon" href="data:,">
    <style>
      /* Scalar starts its sidebar below a header of this height. */
      :root { --scalar-custom-header-height: 3rem; }
      body { margin: 0; }
      .guides {
        box-sizing: border-box;
        position: sticky;
        top: 0;
        z-index: 100;
        height: 3rem;
        padding: 0.75rem 1.5rem;
        border-bottom: 1px solid var(--scalar-border-color);
        background: var(--scalar-background-1);
        color: var(--scalar-color-1);
        font: 0.9375rem/1.5 system-ui, sans-serif;
      }
      .guides a { color: inherit; }
    </style>
  </head>
  <body>
    <header class="guides">New here? Start with the <a href="docs/guides">guides</a>. For
      trying: <a href="docs/collections/bluejay.postman.json" download>Postman</a> and
      <a href="docs/collections/bluejay.bruno.json" download>Bruno</a> collections.</header>
    <noscript>
      <p>This page needs JavaScript. You can read the same reference as an <a href="v1/openapi.json">OpenAPI 3.1 document</a>.</p>
    </noscript>
    <main id="docs"></main>
    <script src="docs/scalar.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;
