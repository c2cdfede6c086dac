import type * as en from './texts.en.ts';

export const signIn = {
  title: 'Aanmelden',
  email: 'E-mailadres',
  password: 'Wachtwoord',
  submit: 'Aanmelden',
  forgotten: 'Wachtwoord vergeten?',
  forgottenTitle: 'Wachtwoord opnieuw instellen',
  forgottenLead:
    'Vul het e-mailadres in waarmee u zich aanmeldt. Wij sturen u een link om een nieuw wachtwoord te kiezen.',
  forgottenSubmit: 'Link versturen',
  sentTitle: 'Controleer uw e-mail',
  sentText:
    'Als er een account met dit adres bestaat, hebben wij er een link naartoe gestuurd. De link werkt één keer en vervalt na een uur.',
  sentHint: 'Na enkele minuten nog geen e-mail? Kijk in uw map met ongewenste e-mail of vraag het aan uw beheerder.',
  backToSignIn: 'Terug naar aanmelden',
  resetTitle: 'Kies een nieuw wachtwoord',
  resetLead: 'U wordt overal afgemeld. Meld u daarna aan met uw nieuwe wachtwoord.',
  resetSubmit: 'Wachtwoord instellen',
  expiredTitle: 'Deze link is niet meer geldig',
  expiredText: 'Hij is al gebruikt, is ouder dan een uur, of uw wachtwoord is intussen gewijzigd.',
  askAgain: 'Nieuwe link aanvragen',
} satisfies typeof en.signIn;
