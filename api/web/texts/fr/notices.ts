import type { Texts } from '../en.ts';

export const notices = {
  changeSaved: 'Modification enregistrée.',
  addressSaved: 'Adresse enregistrée.',
  addressDeleted: 'Adresse supprimée.',
  letterCancelled: 'Lettre annulée. Votre portefeuille a été recrédité.',
  addressIsDefault: 'Cette adresse est désormais l’adresse par défaut.',
  applicationRevoked: 'Accès révoqué. L’application ne peut plus agir pour vous.',
  deliveryRequested: 'Livraison en cours de renvoi. Le résultat apparaîtra bientôt dans la liste.',
  nothingToRedeliver: 'Il n’y avait rien à renvoyer.',
  redeliveryBegun: 'Livraisons en échec en cours de renvoi. Les résultats apparaîtront dans la liste.',
  redeliveryHasMore:
    'Les 10 000 premières livraisons sont en cours de renvoi. Il en reste : envoyez à nouveau le formulaire pour la suite.',
  testWalletFilled: 'Portefeuille de test approvisionné.',
  thresholdSaved: 'Seuil enregistré.',
  webhookChanged: 'Webhook modifié.',
  webhookDeleted: 'Webhook supprimé. Il ne recevra plus aucun événement.',
  webhookDisabled: 'Webhook désactivé. Il ne recevra aucun événement tant que vous ne l’aurez pas réactivé.',
  webhookEnabled: 'Webhook activé.',
  webhookPinged: 'Événement de test envoyé. Le résultat apparaîtra bientôt sous Livraisons.',
  keyRevoked: 'Clé révoquée. Elle ne fonctionne plus.',
  coverPagesSaved: 'Réglage enregistré. Il s’applique aux lettres préparées à partir de maintenant.',
  languageSaved: 'Langue enregistrée.',
  passwordChanged: 'Mot de passe modifié. Vous êtes déconnecté de tous vos autres appareils.',
  passwordReset: 'Mot de passe enregistré. Connectez-vous avec votre nouveau mot de passe.',
  signedOut: 'Vous êtes déconnecté.',
  usedReference: 'Aucun montant n’a été comptabilisé : cette référence a déjà servi pour ce portefeuille.',
} satisfies Texts['notices'];
