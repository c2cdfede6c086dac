import type { Texts } from '../en.ts';

export const home = {
  title: 'Le courrier papier depuis vos propres systèmes',
  lead: 'Envoyez des lettres par une API : prix au centime près, impression, dépôt et suivi étape par étape.',
  signIn: 'Se connecter à votre compte',
  toAccount: 'Aller à votre compte',
  docs: "Lire la documentation de l'API",
  points: {
    price: {
      title: 'Un prix avant chaque lettre',
      text: 'Le devis et la lettre suivent le même tarif. Votre portefeuille prépayé montre chaque centime.',
    },
    proof: {
      title: 'Une preuve à chaque étape',
      text: 'Imprimée, déposée, distribuée : des webhooks signés en informent vos systèmes aussitôt.',
    },
    sandbox: {
      title: 'Un bac à sable fidèle',
      text: "Les clés de test envoient les mêmes lettres avec de l'argent fictif, et rien n'est jamais imprimé.",
    },
  },
  forPrograms: "Les programmes envoient des lettres par l'API à l'adresse",
} satisfies Texts['home'];
