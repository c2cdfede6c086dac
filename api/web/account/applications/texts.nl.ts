import type * as en from './texts.en.ts';

export const applications = {
  lead: 'Deze toepassingen kunnen voor uw organisatie handelen. Brieven die ze versturen, worden met uw tegoed betaald.',
  existing: 'Toepassingen met toegang',
  none: 'Geen enkele toepassing heeft toegang',
  noneHint: 'Een toepassing die toegang nodig heeft, stuurt u naar een pagina waar u die kunt toestaan of weigeren.',
  name: 'Toepassing',
  scopes: 'Rechten',
  since: 'Sinds',
  lastUsed: 'Laatst gebruikt',
  revoke: 'Intrekken',
  revokeOf: (name: string) => `Toegang van ${name} intrekken`,
  atOnce: 'Intrekken beëindigt meteen alle toegang van een toepassing, ook als een collega die heeft toegestaan.',
} satisfies typeof en.applications;
