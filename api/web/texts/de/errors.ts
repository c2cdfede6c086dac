import type * as en from '../en.ts';

export const errors = {
  back: 'Zur Startseite',
  reference: 'Referenz für den Support:',
  BAD_FORM: {
    title: 'Wir konnten das Formular nicht lesen',
    message:
      'Die Daten passen zu keinem unserer Formulare. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es erneut.',
  },
  FORBIDDEN: {
    title: 'Nur für Administratoren',
    message: 'Ihr Konto hat keine Administratorrechte für diese Installation.',
  },
  CSRF_CHECK_FAILED: {
    title: 'Bitte senden Sie das Formular erneut',
    message:
      'Zu Ihrer Sicherheit nehmen wir nur Formulare an, die Sie in Ihrer aktuellen Sitzung auf dieser Website geöffnet haben. Manche können Sie nur einmal senden. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es erneut.',
  },
  NOT_FOUND: {
    title: 'Seite nicht gefunden',
    message: 'Diese Seite gibt es nicht, oder Sie haben keinen Zugriff darauf.',
  },
  METHOD_NOT_ALLOWED: { title: 'Nicht erlaubt', message: 'Diese Adresse nimmt solche Anfragen nicht an.' },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'Wir konnten das Formular nicht lesen',
    message:
      'Die Daten passen zu keinem unserer Formulare. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es erneut.',
  },
  RATE_LIMITED: {
    title: 'Zu viele Versuche',
    message: 'Warten Sie eine Minute und versuchen Sie es dann erneut.',
  },
  INTERNAL_ERROR: {
    title: 'Etwas ist schiefgegangen',
    message: 'Das Problem liegt bei uns und wurde protokolliert. Versuchen Sie es gleich noch einmal.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'Vorübergehend nicht verfügbar',
    message: 'Ein Teil des Dienstes reagiert nicht. Es ist nichts verloren. Versuchen Sie es gleich noch einmal.',
  },
} satisfies typeof en.errors;
