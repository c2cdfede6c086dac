import type { Texts } from '../en.ts';

export const notices = {
  changeSaved: 'La modification est enregistrée.',
  addressSaved: "L'adresse est enregistrée.",
  addressDeleted: "L'adresse est supprimée.",
  addressIsDefault: "C'est maintenant l'adresse par défaut.",
  keyRevoked: 'La clé est révoquée : elle ne fonctionne plus.',
  languageSaved: 'La langue est enregistrée.',
  passwordChanged: 'Votre mot de passe est modifié. Vous êtes déconnecté sur tous les autres appareils.',
  passwordReset: 'Votre mot de passe est enregistré. Connectez-vous maintenant.',
  signedOut: 'Vous êtes déconnecté.',
  usedReference: "Rien n'a été comptabilisé : cette référence a déjà servi pour le même portefeuille.",
} satisfies Texts['notices'];
