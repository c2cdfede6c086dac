import type * as en from '../en.ts';

export const errors = {
  back: 'Retour à l’accueil',
  reference: 'Référence pour l’assistance :',
  BAD_FORM: {
    title: 'Nous n’avons pas pu lire le formulaire',
    message:
      'Les données ne correspondent à aucun de nos formulaires. Revenez en arrière, rechargez la page et réessayez.',
  },
  FORBIDDEN: {
    title: 'Réservé aux administrateurs',
    message: 'Votre compte n’a pas les droits d’administrateur sur cette installation.',
  },
  CSRF_CHECK_FAILED: {
    title: 'Veuillez renvoyer le formulaire',
    message:
      'Pour votre sécurité, nous n’acceptons que les formulaires ouverts sur ce site pendant votre session. Certains ne peuvent être envoyés qu’une fois. Revenez en arrière, rechargez la page et réessayez.',
  },
  NOT_FOUND: {
    title: 'Page introuvable',
    message: 'Cette page n’existe pas ou vous n’y avez pas accès.',
  },
  METHOD_NOT_ALLOWED: { title: 'Non autorisé', message: 'Cette adresse n’accepte pas ce type de requête.' },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'Nous n’avons pas pu lire le formulaire',
    message:
      'Les données ne correspondent à aucun de nos formulaires. Revenez en arrière, rechargez la page et réessayez.',
  },
  RATE_LIMITED: { title: 'Trop de tentatives', message: 'Patientez une minute, puis réessayez.' },
  INTERNAL_ERROR: {
    title: 'Une erreur est survenue',
    message: 'Le problème vient de chez nous et a été enregistré. Réessayez dans un instant.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'Momentanément indisponible',
    message: 'Une partie du service ne répond pas. Rien n’est perdu. Réessayez dans un instant.',
  },
} satisfies typeof en.errors;
