import type { Texts } from '../en.ts';

export const signIn = {
  title: 'Connexion',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  submit: 'Se connecter',
  forgotten: 'Mot de passe oublié ?',
  forgottenTitle: 'Mot de passe oublié',
  forgottenLead:
    "Indiquez l'adresse e-mail avec laquelle vous vous connectez. Nous vous envoyons un lien pour choisir un nouveau mot de passe.",
  forgottenSubmit: 'Envoyer le lien',
  sentTitle: 'Consultez votre boîte de réception',
  sentText:
    "S'il existe un compte avec cette adresse, un e-mail contenant un lien est en route. Le lien sert une seule fois, dans l'heure.",
  sentHint: 'Rien après quelques minutes ? Regardez dans les indésirables ou demandez à votre administrateur.',
  backToSignIn: 'Retour à la connexion',
  resetTitle: 'Choisissez un nouveau mot de passe',
  resetLead: 'Toutes les sessions de votre compte prennent fin ; connectez-vous ensuite avec le nouveau mot de passe.',
  newPassword: 'Nouveau mot de passe',
  repeatPassword: 'Nouveau mot de passe, encore une fois',
  passwordHint: 'Au moins 12 caractères. Quelques mots que vous seul associeriez conviennent bien.',
  resetSubmit: 'Enregistrer le mot de passe',
  expiredTitle: "Ce lien n'est plus valable",
  expiredText: "Il a déjà servi, il date de plus d'une heure, ou le mot de passe a été modifié depuis.",
  askAgain: 'Demander un nouveau lien',
} satisfies Texts['signIn'];
