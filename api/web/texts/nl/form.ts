import type { Texts } from '../en.ts';

export const form = {
  problem: 'Er is een probleem',
  optional: 'optioneel',
  newer: 'Nieuwste',
  older: 'Ouder',
  pagination: 'Pagina’s van deze lijst',
  copy: 'Kopiëren',
  copied: 'Gekopieerd',
  errors: {
    required: 'Vul dit veld in.',
    tooLong: 'Deze tekst is te lang. Maak hem korter.',
    invalid: 'Deze waarde is niet geldig. Controleer ze en probeer het opnieuw.',
    NOT_CANCELLABLE: 'Deze brief kan niet meer worden geannuleerd: hij wordt al gedrukt.',
    choose: 'Kies een optie.',
    chooseOne: 'Kies minstens één optie.',
    belgianZip: 'Vul een Belgische postcode in: vier cijfers, van 1000 tot 9999.',
    wrongSignIn: 'Het e-mailadres of wachtwoord is niet juist. Controleer beide en probeer het opnieuw.',
    wrongPassword: 'Dit is niet uw huidige wachtwoord.',
    passwordTooShort: 'Gebruik minstens 12 tekens.',
    passwordTooLong: 'Gebruik hoogstens 200 tekens.',
    passwordCommon: 'Dit wachtwoord proberen aanvallers als eerste. Kies een paar woorden die alleen u zou combineren.',
    passwordOwn: 'Dit wachtwoord lijkt te veel op uw e-mailadres of de naam van uw organisatie. Kies een ander.',
    passwordsDiffer: 'De twee wachtwoorden komen niet overeen.',
    throttled: 'Te veel pogingen. Wacht even en probeer het dan opnieuw.',
    amount: 'Vul een bedrag in euro in, bijvoorbeeld 25 of 25,50.',
    amountOutOfRange: 'Dit bedrag is te klein of te groot.',
    numberOutOfRange: 'Dit getal is te klein of te groot.',
    WEBHOOK_DISABLED: 'De webhook is uitgeschakeld. Schakel hem eerst in.',
    DELIVERY_IN_FLIGHT: 'Deze aflevering wordt nu verstuurd. Kijk over enkele seconden opnieuw.',
    LIMIT_REACHED:
      'Uw organisatie heeft haar limiet bereikt. Verwijder wat u niet meer nodig hebt of kies een kleinere hoeveelheid.',
    tooManyKeys:
      'U hebt 50 sleutels in deze modus, het maximum. Trek een sleutel in die u niet meer gebruikt en maak dan een nieuwe.',
    linkExpired: 'Deze link is al gebruikt of verlopen. Vraag een nieuwe aan.',
  },
} satisfies Texts['form'];
