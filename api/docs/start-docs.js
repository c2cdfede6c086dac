// Runs in the browser. All features that contact other hosts are disabled. The page's policy would block them anyway.
const here = new URL('.', window.location.href);
window.Scalar.createApiReference('#docs', {
  url: new URL('v1/openapi.json', here).href,
  // Trial requests go to the host that served this page, whatever `servers` says in the document.
  servers: [{ url: here.href.replace(/\/$/, '') }],
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'json',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: true,
  // Hide regular expressions. The conventions describe them in words.
  customCss: '.property-detail:has(> code.property-detail-value) { visibility: hidden; width: 0.4em; }',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
});
