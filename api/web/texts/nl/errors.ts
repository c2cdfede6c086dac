import type { Texts } from '../en.ts';

export const errors = {
  back: 'Terug naar het begin',
  reference: 'Referentie voor de helpdesk:',
  BAD_FORM: {
    title: 'Het formulier kon niet worden gelezen',
    message:
      'Wat verzonden werd, lijkt niet op een van onze formulieren. Ga terug, laad de pagina opnieuw en probeer het nog eens.',
  },
  FORBIDDEN: {
    title: 'Alleen voor beheerders',
    message: 'U bent aangemeld als gebruiker die geen beheerder van deze installatie is.',
  },
  FOREIGN_FORM: {
    title: 'Verstuur het formulier opnieuw',
    message:
      'Voor uw veiligheid aanvaarden wij alleen formulieren die tijdens uw huidige sessie op deze site zijn geopend, en sommige maar één keer. Ga terug, laad de pagina opnieuw en probeer het nog eens.',
  },
  NOT_FOUND: { title: 'Niet gevonden', message: 'Op dit adres is geen pagina, of ze is niet van u.' },
  METHOD_NOT_ALLOWED: { title: 'Niet toegestaan', message: 'Dit adres aanvaardt zo een verzoek niet.' },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'Het formulier kon niet worden gelezen',
    message:
      'Wat verzonden werd, lijkt niet op een van onze formulieren. Ga terug, laad de pagina opnieuw en probeer het nog eens.',
  },
  RATE_LIMITED: { title: 'Te veel pogingen', message: 'Wacht een minuut en probeer dan opnieuw.' },
  INTERNAL_ERROR: {
    title: 'Er ging iets mis',
    message: 'De fout ligt bij ons en is geregistreerd. Probeer het zo dadelijk opnieuw.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'Nu even niet beschikbaar',
    message: 'Een deel van de dienst antwoordt niet. Probeer het zo dadelijk opnieuw; er gaat niets verloren.',
  },
} satisfies Texts['errors'];
