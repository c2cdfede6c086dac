import type * as en from './texts.en.ts';

export const signIn = {
  title: 'Connexion',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  submit: 'Se connecter',
  forgotten: 'Mot de passe oublié ?',
  forgottenTitle: 'Réinitialiser votre mot de passe',
  forgottenLead:
    'Saisissez l’adresse e-mail avec laquelle vous vous connectez. Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
  forgottenSubmit: 'Envoyer le lien',
  sentTitle: 'Consultez votre messagerie',
  sentText:
    'Si un compte existe à cette adresse, nous y avons envoyé un lien. Il fonctionne une seule fois et expire après une heure.',
  sentHint:
    'Aucun e-mail après quelques minutes ? Consultez votre dossier de courrier indésirable ou contactez votre administrateur.',
  backToSignIn: 'Retour à la connexion',
  resetTitle: 'Choisissez un nouveau mot de passe',
  resetLead: 'Vous serez déconnecté partout. Reconnectez-vous ensuite avec le nouveau mot de passe.',
  resetSubmit: 'Enregistrer le mot de passe',
  expiredTitle: 'Ce lien n’est plus valable',
  expiredText: 'Il a déjà été utilisé, date de plus d’une heure, ou votre mot de passe a changé depuis.',
  askAgain: 'Demander un nouveau lien',
} satisfies typeof en.signIn;
