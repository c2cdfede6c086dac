import type * as en from './texts.en.ts';

export { apiKeys } from '#api/web/account/api-keys/texts.fr.ts';

export const consent = {
  title: 'Autoriser l’accès',
  heading: (application: string) => `${application} demande un accès`,
  lead: (email: string, organization: string) =>
    `Vous êtes connecté en tant que ${email}. Si vous autorisez l’accès, cette application pourra, pour ${organization} :`,
  pays: {
    test: 'Cette application fonctionne en mode test. Ses lettres sont payées avec votre portefeuille de test et rien n’est imprimé.',
    live: 'Cette application envoie de vraies lettres, payées avec votre portefeuille réel.',
  },
  unverified: (host: string) =>
    `Cette application dit venir de ${host}. Nous ne l’avons pas vérifié. Ne continuez que si vous êtes à l’origine de cette demande.`,
  describedAt: 'L’application a choisi elle-même son nom. Sa description provient de cette adresse :',
  onDevice: 'L’application fonctionne sur votre appareil. Un autre programme pourrait s’y faire passer pour elle.',
  leadsTo: (host: string) => `Vous retournerez ensuite sur ${host}.`,
  revokeHint: 'Vous pouvez révoquer cet accès à tout moment dans votre compte.',
  allow: 'Autoriser',
  deny: 'Refuser',
  broken: {
    title: 'Cette application ne peut pas demander d’accès',
    client_id: 'Le lien que vous avez suivi désigne une application que nous ne connaissons pas.',
    redirect_uri: 'Le lien que vous avez suivi renvoie vers une adresse que l’application n’a pas enregistrée.',
    unreachable: 'La description de l’application n’a pas pu être récupérée. Réessayez dans une minute.',
    advice: 'Vous n’avez rien autorisé. Revenez en arrière et contactez le développeur de l’application.',
    returnTo: (host: string) => `Retourner sur ${host}`,
  },
} satisfies typeof en.consent;
