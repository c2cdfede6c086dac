import type { Texts } from '../en.ts';

export const notices = {
  keyRevoked: 'La clé est révoquée : elle ne fonctionne plus.',
  languageSaved: 'La langue est enregistrée.',
  passwordChanged: 'Votre mot de passe est modifié. Vous êtes déconnecté sur tous les autres appareils.',
  passwordReset: 'Votre mot de passe est enregistré. Connectez-vous maintenant.',
  signedOut: 'Vous êtes déconnecté.',
} satisfies Texts['notices'];
