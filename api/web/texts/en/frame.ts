/** What stands around every page. */
export const frame = {
  skip: 'Skip to content',
  home: 'Bluejay, start page',
  menu: 'Menu',
  navigation: 'Account',
  administration: 'Administration',
  language: 'Language',
  signIn: 'Sign in',
  signOut: 'Sign out',
  signedInAs: 'Signed in as',
  footer: 'Physical post from your own systems',
  documentation: 'API documentation',
  pages: {
    overview: 'Overview',
    apiKeys: 'API keys',
    webhooks: 'Webhooks',
    jobWebhookSecrets: 'Job-webhook secrets',
    wallet: 'Wallet',
    applications: 'Applications',
    profile: 'Profile',
    queues: 'Queues',
  },
};
