import { pluralOf } from '#api/web/texts/format.ts';
import type * as en from './texts.en.ts';

const plural = pluralOf('fr');

export const webhooks = {
  lead: 'À chaque étape d’une lettre, nous envoyons à votre système une requête signée, à l’adresse de votre choix.',
  existing: 'Vos webhooks',
  none: 'Aucun webhook pour le moment',
  noneHint: 'Créez votre premier webhook ci-dessous. Il recevra tous les événements à partir de ce moment.',
  onlyNewest: 'Seuls les webhooks désactivés les plus récents sont affichés.',
  create: 'Nouveau webhook',
  modeHints: { test: 'Événements des lettres du bac à sable', live: 'Événements des lettres réelles' },
  url: 'URL',
  urlHint: 'En https, sur le port 443 ou 8443, à une adresse publique.',
  events: 'Événements',
  eventTexts: {
    MAIL_QUEUED: 'Une lettre a été acceptée et payée',
    MAIL_PRINTED: 'Une lettre a été imprimée',
    MAIL_POSTED: 'Une lettre a été remise à la poste',
    MAIL_DELIVERED: 'Une lettre a été distribuée',
    MAIL_FAILED: 'Une lettre a échoué et a été remboursée',
    ITEM_RETURNED: 'Un exemplaire d’une lettre est revenu',
    BULK_COMPLETED: 'Toutes les lettres d’une liste sont parties',
  },
  description: 'Description',
  descriptionHint: 'Pour vous et vos collègues.',
  submit: 'Créer le webhook',
  statuses: { active: 'Actif', disabled: 'Désactivé' },
  disabledBecause: {
    OWNER:
      'Votre organisation a désactivé ce webhook. Il ne recevra aucun événement tant que vous ne l’aurez pas réactivé.',
    GONE: 'Nous avons désactivé ce webhook parce que votre serveur a répondu 410 Gone. Corrigez votre serveur, puis réactivez le webhook.',
    FAILING:
      'Nous avons désactivé ce webhook parce que toutes les livraisons ont échoué pendant cinq jours. Corrigez votre serveur, puis réactivez le webhook.',
    CONSENT_ENDED:
      'Nous avons désactivé ce webhook parce que l’accès de l’application qui l’a configuré a pris fin. Il ne recevra aucun événement tant que vous ne l’aurez pas activé.',
    other: 'Nous avons désactivé ce webhook. Corrigez votre serveur, puis réactivez le webhook.',
  },
  created: 'Créé le',
  id: 'Identifiant du webhook',
  createdTitle: 'Votre nouveau webhook',
  secretLead:
    'Copiez la clé de signature maintenant et conservez-la en lieu sûr : votre système en a besoin pour vérifier la signature de chaque requête. Vous ne pourrez plus l’afficher.',
  secret: 'Clé de signature',
  secretStored: 'J’ai enregistré la clé',
  detailTitle: 'Webhook',
  ping: 'Envoyer un événement de test',
  enable: 'Activer',
  disable: 'Désactiver',
  settings: 'Paramètres',
  save: 'Enregistrer les modifications',
  rotate: 'Renouveler la clé de signature',
  rotateLead:
    'Crée une nouvelle clé de signature. Pendant la transition, les requêtes sont signées avec les deux clés : votre système peut en changer sans perdre de requête.',
  overlapHours: 'Durée de la transition, en heures',
  overlapHoursHint: 'De 0 à 24. Choisissez 0 si la clé a fuité : l’ancienne cesse alors immédiatement de fonctionner.',
  rotateSubmit: 'Créer une nouvelle clé',
  rotatedTitle: 'Votre nouvelle clé de signature',
  oldSecretUntil: (until: string) => `Les requêtes sont aussi signées avec l’ancienne clé jusqu’au ${until}.`,
  oldSecretEnded: 'L’ancienne clé n’est plus utilisée.',
  remove: 'Supprimer le webhook',
  removeTitle: 'Supprimer ce webhook ?',
  removeLead:
    'Il ne recevra plus rien, les livraisons en attente seront abandonnées et vous ne pourrez pas le rétablir. Pour une simple pause, désactivez-le.',
  removeSubmit: 'Supprimer définitivement',
  keep: 'Conserver le webhook',
} satisfies typeof en.webhooks;

export const deliveries = {
  title: 'Livraisons',
  lead: 'Les livraisons des 90 derniers jours, les plus récentes en premier.',
  event: 'Événement',
  states: {
    due: 'En attente',
    sending: 'Envoi en cours',
    delivered: 'Livrée',
    failed: 'Échec',
    discarded: 'Abandonnée',
  },
  letter: 'Lettre',
  ofLetter: (letterId: string) => `Uniquement les livraisons concernant la lettre ${letterId}.`,
  allLetters: 'Afficher toutes les lettres',
  none: 'Aucune livraison',
  noneHint:
    'Les livraisons apparaissent dès qu’un événement se produit. Envoyez un événement de test pour vérifier que votre serveur le reçoit.',
  attempts: (count: number) => plural(count, { one: '# tentative', other: '# tentatives' }),
  attempt: (number: number) => `Tentative ${number}`,
  notTried: 'Aucune tentative pour le moment',
  next: (at: string) => `Prochaine tentative : ${at}`,
  resentManually: 'Renvoyée manuellement, en une seule tentative.',
  answered: (status: number) => `Réponse ${status}`,
  errorClasses: {
    dns: 'Nom d’hôte introuvable',
    blocked_ip: 'L’adresse n’est pas publique',
    connect: 'Connexion à votre serveur impossible',
    tls: 'Le certificat de votre serveur n’est pas valable',
    timeout: 'Votre serveur n’a pas répondu à temps',
    http: 'La réponse n’était pas du HTTP valable',
    other: 'La tentative a été interrompue',
  },
  reply: 'Début de la réponse',
  redeliver: 'Renvoyer',
  redeliverOf: (deliveryId: string) => `Renvoyer la livraison ${deliveryId}`,
  redeliverFailed: 'Renvoyer les livraisons en échec',
  redeliverFailedLead:
    'Toutes les livraisons qui ont échoué définitivement ou ont été abandonnées pendant que le webhook était désactivé. Chacune fait l’objet d’une seule tentative.',
  since: 'Créées dans',
  sinceOptions: {
    hour: 'la dernière heure',
    day: 'les dernières 24 heures',
    week: 'les 7 derniers jours',
    fortnight: 'les 14 derniers jours',
  },
  redeliverFailedSubmit: 'Renvoyer',
} satisfies typeof en.deliveries;

export const jobSecrets = {
  lead: 'Une lettre peut avoir sa propre adresse de webhook (webhookUrl). Nous signons les requêtes envoyées à cette adresse avec cette clé de votre organisation, différente pour chaque mode.',
  reveal: 'Afficher la clé',
  revealOf: { test: 'Afficher la clé (test)', live: 'Afficher la clé (réel)' },
  hidden: 'La clé s’affiche sur une page à part. Assurez-vous que personne ne voit votre écran.',
  shownTitle: { test: 'Clé des webhooks par lettre (test)', live: 'Clé des webhooks par lettre (réel)' },
  shownLead: 'Conservez cette clé en lieu sûr. Toute personne qui la possède peut se faire passer pour nous.',
  back: 'Masquer la clé',
  ofMode: { test: 'Lettres de test', live: 'Lettres réelles' },
} satisfies typeof en.jobSecrets;
