import type { Texts } from '../en.ts';

export const mails = {
  signature: 'Bluejay',
  passwordReset: {
    subject: 'Un nouveau mot de passe pour Bluejay',
    text: (link: string) =>
      `Bonjour,\n\nquelqu'un, vous sans doute, a demandé un nouveau mot de passe pour votre compte Bluejay. Ouvrez ce lien dans l'heure pour le choisir :\n\n${link}\n\nIl ne sert qu'une fois. Si ce n'était pas vous, il n'y a rien à faire : votre mot de passe reste inchangé.`,
  },
  passwordChanged: {
    subject: 'Votre mot de passe Bluejay a été modifié',
    text: (link: string) =>
      `Bonjour,\n\nle mot de passe de votre compte Bluejay vient d'être modifié, et toutes les autres sessions ont pris fin.\n\nSi ce n'était pas vous, demandez tout de suite un nouveau mot de passe et prévenez votre administrateur :\n\n${link}`,
  },
} satisfies Texts['mails'];
