/** Where a user sees which applications he has let in, and ends it. */
export const applications = {
  title: 'Applications',
  lead: 'Applications that may act for your organization. What they send is paid from your wallet.',
  existing: 'Applications with access',
  none: 'No application has access',
  noneHint: 'An application that wants it sends you to a page here, where you allow or deny it.',
  name: 'Application',
  mode: 'Mode',
  scopes: 'Scopes',
  since: 'Since',
  lastUsed: 'Last used',
  revoke: 'Revoke',
  revokeOf: (name: string) => `Revoke the access of ${name}`,
  atOnce: 'Revoking ends all access of an application at once, whoever of you has allowed it.',
};
