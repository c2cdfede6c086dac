import type { Texts } from '../en.ts';

export const form = {
  problem: 'Er is een probleem',
  optional: 'niet verplicht',
  showMore: 'Meer tonen',
  newer: 'Nieuwste',
  older: 'Ouder',
  pagination: "Pagina's van deze lijst",
  copy: 'Kopiëren',
  copied: 'Gekopieerd',
  errors: {
    required: 'Vul dit veld in.',
    tooLong: 'Dit is te lang.',
    invalid: 'Dit is zo niet bruikbaar. Kijk het na.',
    choose: 'Kies een van de mogelijkheden.',
    chooseOne: 'Kies minstens één mogelijkheid.',
    belgianZip: 'Een Belgische postcode heeft vier cijfers, 1000 tot 9999.',
    wrongSignIn: 'Het e-mailadres en het wachtwoord horen niet bij elkaar. Kijk beide na en probeer opnieuw.',
    wrongPassword: 'Dit is niet uw huidige wachtwoord.',
    passwordTooShort: 'Gebruik minstens 12 tekens.',
    passwordTooLong: 'Gebruik hoogstens 200 tekens.',
    passwordsDiffer: 'De twee wachtwoorden zijn niet gelijk.',
    throttled: 'Er waren te veel pogingen. Wacht even en probeer dan opnieuw.',
    linkExpired: 'Deze link is al gebruikt of verlopen. Vraag een nieuwe aan.',
  },
} satisfies Texts['form'];
