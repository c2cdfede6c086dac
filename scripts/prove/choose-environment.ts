/** Where programs, caches, the engine, proxies and certificates are, and the settings of package managers. */
const allowed = [
  /^(PATH|HOME|USER|TMPDIR|SSH_AUTH_SOCK)$/,
  /^(XDG|DOCKER)_/,
  /^KUBECONFIG$/,
  // The programs that log in to clusters of these providers.
  /^(AWS|AZURE|CLOUDSDK|GOOGLE)_/,
  /^(http|https|ftp|no|all)_proxy$/i,
  /^(npm_config|pip)_/i,
  /^(SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS)$/,
  /^GO[A-Z0-9]*$/,
];

/**
 * Returns the variables that a proof passes on. Not those of Bluejay or of Compose: an operator's shell may have some for
 * another installation, and docker-compose.yml would take them before those of the proof's own .env.
 */
export function chooseEnvironment(environment: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => allowed.some((form) => form.test(name))));
}
