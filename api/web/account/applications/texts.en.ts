/** The page that lists the applications a user has granted access, and revokes that access. */
export const applications = {
  lead: 'These applications can act for your organization. Letters that they send are paid from your wallet.',
  existing: 'Applications with access',
  none: 'No application has access',
  noneHint: 'An application that needs access sends you to a page where you can allow or deny it.',
  name: 'Application',
  scopes: 'Scopes',
  since: 'Since',
  lastUsed: 'Last used',
  revoke: 'Revoke',
  revokeOf: (name: string) => `Revoke access for ${name}`,
  atOnce: 'Revoking ends all access of an application immediately, whichever of your colleagues allowed it.',
};
