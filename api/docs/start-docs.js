// Runs in the browser. Everything that would ask another host is off; the page's policy would refuse it anyway.
const here = new URL('.', window.location.href);
window.Scalar.createApiReference('#docs', {
  url: new URL('v1/openapi.json', here).href,
  // Trying a request out goes to where this page came from, whatever address the document names.
  servers: [{ url: here.href.replace(/\/$/, '') }],
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'json',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: true,
  // Patterns are for programs: the conventions say the same in words.
  customCss: '.property-detail:has(> code.property-detail-value) { visibility: hidden; width: 0.4em; }',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
});
