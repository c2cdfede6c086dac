import type { Texts } from '../en.ts';

export const applications = {
  title: 'Toepassingen',
  lead: 'Toepassingen die voor uw organisatie mogen handelen. Wat ze versturen, wordt uit uw portemonnee betaald.',
  existing: 'Toepassingen met toegang',
  none: 'Geen enkele toepassing heeft toegang',
  noneHint: 'Een toepassing die toegang wil, brengt u naar een pagina hier, waar u die toestaat of weigert.',
  name: 'Toepassing',
  mode: 'Modus',
  scopes: 'Rechten',
  since: 'Sinds',
  lastUsed: 'Laatst gebruikt',
  revoke: 'Intrekken',
  revokeOf: (name: string) => `De toegang van ${name} intrekken`,
  atOnce: 'Intrekken beëindigt meteen elke toegang van een toepassing, wie van u die ook heeft toegestaan.',
} satisfies Texts['applications'];
