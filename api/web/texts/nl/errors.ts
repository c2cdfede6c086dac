import type * as en from '../en.ts';

export const errors = {
  back: 'Naar de startpagina',
  reference: 'Referentie voor de helpdesk:',
  BAD_FORM: {
    title: 'Wij konden het formulier niet lezen',
    message:
      'De gegevens komen niet overeen met een van onze formulieren. Ga terug, laad de pagina opnieuw en probeer het nog eens.',
  },
  FORBIDDEN: {
    title: 'Alleen voor beheerders',
    message: 'Uw account heeft geen beheerdersrechten op deze installatie.',
  },
  CSRF_CHECK_FAILED: {
    title: 'Verstuur het formulier opnieuw',
    message:
      'Voor uw veiligheid aanvaarden wij alleen formulieren die u in uw huidige sessie op deze site hebt geopend. Sommige kunt u maar één keer versturen. Ga terug, laad de pagina opnieuw en probeer het nog eens.',
  },
  NOT_FOUND: { title: 'Pagina niet gevonden', message: 'Deze pagina bestaat niet of u hebt er geen toegang toe.' },
  METHOD_NOT_ALLOWED: { title: 'Niet toegestaan', message: 'Dit adres aanvaardt dit soort verzoek niet.' },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'Wij konden het formulier niet lezen',
    message:
      'De gegevens komen niet overeen met een van onze formulieren. Ga terug, laad de pagina opnieuw en probeer het nog eens.',
  },
  RATE_LIMITED: { title: 'Te veel pogingen', message: 'Wacht een minuut en probeer het dan opnieuw.' },
  INTERNAL_ERROR: {
    title: 'Er is iets misgegaan',
    message: 'Het probleem ligt bij ons en is geregistreerd. Probeer het zo meteen opnieuw.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'Tijdelijk niet beschikbaar',
    message: 'Een deel van de dienst reageert niet. Er is niets verloren. Probeer het zo meteen opnieuw.',
  },
} satisfies typeof en.errors;
