import type * as en from './texts.en.ts';

export const profile = {
  account: 'Konto',
  email: 'E-Mail-Adresse',
  organization: 'Organisation',
  language: 'Sprache',
  languageOf: 'Sprache der Seiten und E-Mails',
  languageLead: 'Eine Seite mit einer Sprache in der Adresse, etwa /de/, wird immer in dieser Sprache angezeigt.',
  browserLanguage: 'Wie in meinem Browser',
  saveLanguage: 'Sprache speichern',
  coverPages: 'Adresse auf Ihren Briefen',
  coverPagesLead:
    'Die Adresse des Empfängers wird auf die erste Seite gedruckt, dorthin, wo der Umschlag sein Fenster hat. Stattdessen kann sie auf einem kostenlosen Deckblatt vor dem Brief stehen.',
  coverPageRule: 'Deckblatt',
  coverPageRules: {
    auto: { label: 'Nur wenn nötig', hint: 'Wenn auf der ersten Seite etwas im Bereich des Fensters steht.' },
    always: { label: 'Immer', hint: 'Bei jedem Brief, auch wenn der Bereich des Fensters leer ist.' },
    never: {
      label: 'Nie',
      hint: 'Ein Brief, bei dem im Bereich des Fensters etwas steht, wird so verschickt, wie er ist. Wählen Sie das, wenn Ihre Dokumente dort bereits die Adresse zeigen.',
    },
  },
  saveCoverPages: 'Speichern',
  password: 'Passwort',
  passwordLead: 'Wenn Sie Ihr Passwort ändern, werden Sie auf allen anderen Geräten abgemeldet.',
  currentPassword: 'Aktuelles Passwort',
  changePassword: 'Passwort ändern',
} satisfies typeof en.profile;
