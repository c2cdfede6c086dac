import type * as en from './texts.en.ts';

export const signIn = {
  title: 'Anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Anmelden',
  forgotten: 'Passwort vergessen?',
  forgottenTitle: 'Passwort zurücksetzen',
  forgottenLead:
    'Geben Sie die E-Mail-Adresse ein, mit der Sie sich anmelden. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort festlegen.',
  forgottenSubmit: 'Link senden',
  sentTitle: 'Prüfen Sie Ihr Postfach',
  sentText:
    'Falls es ein Konto mit dieser Adresse gibt, haben wir einen Link dorthin gesendet. Er funktioniert einmal und läuft nach einer Stunde ab.',
  sentHint:
    'Nach einigen Minuten keine E-Mail erhalten? Sehen Sie im Spam-Ordner nach oder fragen Sie Ihren Administrator.',
  backToSignIn: 'Zurück zur Anmeldung',
  resetTitle: 'Neues Passwort festlegen',
  resetLead: 'Sie werden überall abgemeldet. Melden Sie sich danach mit dem neuen Passwort an.',
  resetSubmit: 'Passwort festlegen',
  expiredTitle: 'Dieser Link ist nicht mehr gültig',
  expiredText: 'Er wurde bereits verwendet, ist älter als eine Stunde, oder Ihr Passwort wurde inzwischen geändert.',
  askAgain: 'Neuen Link anfordern',
} satisfies typeof en.signIn;
