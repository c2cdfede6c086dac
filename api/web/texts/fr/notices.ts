import type { Texts } from '../en.ts';

export const notices = {
  changeSaved: 'La modification est enregistrée.',
  addressSaved: "L'adresse est enregistrée.",
  addressDeleted: "L'adresse est supprimée.",
  addressIsDefault: "C'est maintenant l'adresse par défaut.",
  applicationRevoked: "L'accès est révoqué : l'application ne peut plus rien faire pour vous.",
  deliveryRequested: 'La livraison est renvoyée maintenant. Son résultat apparaît dans la liste dans un instant.',
  nothingToRedeliver: "Il n'y avait rien à renvoyer.",
  redeliveryBegun: 'Ce qui avait échoué est renvoyé maintenant. Les résultats apparaissent dans la liste.',
  redeliveryHasMore:
    'Les 10 000 premières livraisons sont renvoyées maintenant. Il en reste : recommencez pour la suite.',
  testWalletFilled: 'Le portefeuille de test est approvisionné.',
  thresholdSaved: 'Le seuil est enregistré.',
  webhookChanged: 'Le webhook est modifié.',
  webhookDeleted: 'Le webhook est supprimé : plus rien ne lui est envoyé.',
  webhookDisabled: 'Le webhook est désactivé : plus rien ne lui est envoyé.',
  webhookEnabled: 'Le webhook est de nouveau actif.',
  webhookPinged: 'Un événement de test est en route. Son résultat apparaît parmi les livraisons dans un instant.',
  keyRevoked: 'La clé est révoquée : elle ne fonctionne plus.',
  languageSaved: 'La langue est enregistrée.',
  passwordChanged: 'Votre mot de passe est modifié. Vous êtes déconnecté sur tous les autres appareils.',
  passwordReset: 'Votre mot de passe est enregistré. Connectez-vous maintenant.',
  signedOut: 'Vous êtes déconnecté.',
  usedReference: "Rien n'a été comptabilisé : cette référence a déjà servi pour le même portefeuille.",
} satisfies Texts['notices'];
