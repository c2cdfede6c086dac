import type * as en from './texts.en.ts';

export const home = {
  title: 'Le courrier papier depuis vos propres systèmes',
  lead: 'Envoyez des lettres avec une API : prix au centime près, impression, dépôt à la poste et suivi étape par étape.',
  signIn: 'Se connecter à votre compte',
  toAccount: 'Accéder à votre compte',
  docs: 'Lire la documentation de l’API',
  points: {
    price: {
      title: 'Un prix connu d’avance',
      text: 'Devis et lettres suivent le même tarif, et votre portefeuille prépayé affiche chaque centime.',
    },
    proof: {
      title: 'Un suivi à chaque étape',
      text: 'Imprimée, postée, distribuée : des webhooks signés informent aussitôt vos systèmes.',
    },
    sandbox: {
      title: 'Des tests sans frais',
      text: 'Les clés de test envoient les mêmes lettres avec de l’argent fictif. Rien n’est jamais imprimé.',
    },
  },
  forPrograms: 'URL de base de l’API :',
} satisfies typeof en.home;
