import type { Texts } from '../en.ts';

export const consent = {
  title: "Autoriser l'accès",
  heading: (application: string) => `${application} demande un accès`,
  lead: (email: string) =>
    `Vous êtes connecté en tant que ${email}. Si vous l'autorisez, cette application pourra, pour votre organisation :`,
  pays: {
    test: "Elle fonctionne en mode test : ce qu'elle envoie est payé par votre portefeuille de test, et rien n'est imprimé.",
    live: "Ce qu'elle envoie, ce sont de vraies lettres, payées par votre portefeuille réel.",
  },
  leadsTo: (host: string) => `Vous retournerez ensuite sur ${host}.`,
  takeBack: 'Vous pouvez retirer cet accès à tout moment dans votre compte.',
  allow: 'Autoriser',
  deny: 'Refuser',
  broken: {
    title: "Cette application ne peut pas demander d'accès",
    client_id: 'Le lien qui vous a amené ici ne désigne aucune application que nous connaissons.',
    redirect_uri:
      "Le lien qui vous a amené ici vous renverrait à une adresse que l'application n'a pas fait enregistrer.",
    advice: "Rien n'a été autorisé. Revenez en arrière et prévenez les auteurs de l'application.",
  },
} satisfies Texts['consent'];
