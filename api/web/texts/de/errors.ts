import type { Texts } from '../en.ts';

export const errors = {
  back: 'Zurück zum Anfang',
  reference: 'Kennung für den Support:',
  BAD_FORM: {
    title: 'Das Formular war nicht lesbar',
    message:
      'Was gesendet wurde, sieht nicht wie eines unserer Formulare aus. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  },
  FORBIDDEN: {
    title: 'Nur für Administratoren',
    message: 'Sie sind als Benutzer angemeldet, der kein Administrator dieser Installation ist.',
  },
  FOREIGN_FORM: {
    title: 'Bitte senden Sie das Formular noch einmal',
    message:
      'Zu Ihrer Sicherheit nehmen wir nur Formulare an, die in Ihrer jetzigen Sitzung auf dieser Seite geöffnet wurden, und manche nur einmal. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  },
  NOT_FOUND: {
    title: 'Nicht gefunden',
    message: 'Unter dieser Adresse gibt es keine Seite, oder sie gehört Ihnen nicht.',
  },
  METHOD_NOT_ALLOWED: { title: 'Nicht erlaubt', message: 'Diese Adresse nimmt eine solche Anfrage nicht an.' },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'Das Formular war nicht lesbar',
    message:
      'Was gesendet wurde, sieht nicht wie eines unserer Formulare aus. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  },
  RATE_LIMITED: {
    title: 'Zu viele Versuche',
    message: 'Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
  },
  INTERNAL_ERROR: {
    title: 'Etwas ist schiefgegangen',
    message: 'Der Fehler liegt bei uns und wurde festgehalten. Versuchen Sie es gleich noch einmal.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'Gerade nicht verfügbar',
    message: 'Ein Teil des Dienstes antwortet nicht. Versuchen Sie es gleich noch einmal; es geht nichts verloren.',
  },
} satisfies Texts['errors'];
