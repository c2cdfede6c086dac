import type { Texts } from '../en.ts';

export const signIn = {
  title: 'Anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Anmelden',
  forgotten: 'Passwort vergessen?',
  forgottenTitle: 'Passwort vergessen',
  forgottenLead:
    'Geben Sie die E-Mail-Adresse an, mit der Sie sich anmelden. Wir senden Ihnen einen Link für ein neues Passwort.',
  forgottenSubmit: 'Link senden',
  sentTitle: 'Sehen Sie in Ihr Postfach',
  sentText:
    'Wenn es ein Konto mit dieser Adresse gibt, ist eine E-Mail mit einem Link unterwegs. Der Link gilt einmal und eine Stunde lang.',
  sentHint: 'Nach einigen Minuten noch nichts da? Sehen Sie im Spam-Ordner nach oder fragen Sie Ihren Administrator.',
  backToSignIn: 'Zurück zur Anmeldung',
  resetTitle: 'Wählen Sie ein neues Passwort',
  resetLead: 'Alle Sitzungen Ihres Kontos enden; danach melden Sie sich mit dem neuen Passwort an.',
  newPassword: 'Neues Passwort',
  repeatPassword: 'Neues Passwort, noch einmal',
  passwordHint: 'Mindestens 12 Zeichen. Gut sind einige Wörter, die nur Sie so zusammenstellen würden.',
  resetSubmit: 'Passwort festlegen',
  expiredTitle: 'Dieser Link gilt nicht mehr',
  expiredText: 'Er wurde schon benutzt, ist älter als eine Stunde, oder das Passwort wurde seither geändert.',
  askAgain: 'Neuen Link anfordern',
} satisfies Texts['signIn'];
