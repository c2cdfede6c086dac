import type * as en from './texts.en.ts';

export const mails = {
  signature: 'Bluejay',
  passwordReset: {
    subject: 'Réinitialisez votre mot de passe Bluejay',
    text: (link: string) =>
      `Bonjour,\n\nNous avons reçu une demande de réinitialisation du mot de passe de votre compte Bluejay. Pour choisir un nouveau mot de passe, ouvrez ce lien dans l’heure :\n\n${link}\n\nLe lien ne fonctionne qu’une fois. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail : votre mot de passe ne change pas.`,
  },
  passwordChanged: {
    subject: 'Votre mot de passe Bluejay a été modifié',
    text: (link: string) =>
      `Bonjour,\n\nLe mot de passe de votre compte Bluejay vient d’être modifié et toutes les autres sessions ont été fermées.\n\nSi vous n’êtes pas à l’origine de cette modification, réinitialisez immédiatement votre mot de passe et prévenez votre administrateur :\n\n${link}`,
  },
  failedSignIns: {
    subject: 'Échecs de connexion à votre compte Bluejay',
    text: ({ attempts, link }: { attempts: number; link: string }) =>
      `Bonjour,\n\nAujourd’hui, ${attempts} tentatives de connexion à votre compte Bluejay ont échoué à cause d’un mot de passe erroné.\n\nSi c’était vous, choisissez un nouveau mot de passe avec le lien ci-dessous. Sinon, votre mot de passe a protégé votre compte et vous n’avez rien à faire.\n\nAprès 100 mots de passe erronés en un jour, vous ne pouvez vous connecter que depuis un navigateur déjà utilisé. Ce lien fonctionne toujours :\n\n${link}`,
  },
} satisfies typeof en.mails;
