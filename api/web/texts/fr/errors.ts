import type { Texts } from '../en.ts';

export const errors = {
  back: "Retour à l'accueil",
  reference: "Référence pour l'assistance :",
  BAD_FORM: {
    title: "Le formulaire n'a pas pu être lu",
    message:
      'Ce qui a été envoyé ne ressemble pas à un de nos formulaires. Revenez en arrière, rechargez la page et réessayez.',
  },
  FORBIDDEN: {
    title: 'Réservé aux administrateurs',
    message: "Vous êtes connecté avec un compte qui n'est pas administrateur de cette installation.",
  },
  FOREIGN_FORM: {
    title: 'Veuillez renvoyer le formulaire',
    message:
      "Pour votre sécurité, nous n'acceptons que les formulaires ouverts sur ce site pendant votre session, et certains une seule fois. Revenez en arrière, rechargez la page et réessayez.",
  },
  NOT_FOUND: {
    title: 'Page introuvable',
    message: "Il n'y a pas de page à cette adresse, ou elle ne vous appartient pas.",
  },
  METHOD_NOT_ALLOWED: { title: 'Non autorisé', message: "Cette adresse n'accepte pas ce type de requête." },
  UNSUPPORTED_MEDIA_TYPE: {
    title: "Le formulaire n'a pas pu être lu",
    message:
      'Ce qui a été envoyé ne ressemble pas à un de nos formulaires. Revenez en arrière, rechargez la page et réessayez.',
  },
  RATE_LIMITED: { title: 'Trop de tentatives', message: 'Attendez une minute, puis réessayez.' },
  INTERNAL_ERROR: {
    title: 'Une erreur est survenue',
    message: 'Le problème vient de chez nous et a été enregistré. Réessayez dans un instant.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'Indisponible pour le moment',
    message: "Une partie du service ne répond pas. Réessayez dans un instant ; rien n'est perdu.",
  },
} satisfies Texts['errors'];
