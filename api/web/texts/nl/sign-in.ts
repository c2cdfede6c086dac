import type { Texts } from '../en.ts';

export const signIn = {
  title: 'Aanmelden',
  email: 'E-mailadres',
  password: 'Wachtwoord',
  submit: 'Aanmelden',
  forgotten: 'Wachtwoord vergeten?',
  forgottenTitle: 'Wachtwoord vergeten',
  forgottenLead:
    'Geef het e-mailadres waarmee u zich aanmeldt. Wij sturen u een link om een nieuw wachtwoord te kiezen.',
  forgottenSubmit: 'De link versturen',
  sentTitle: 'Kijk in uw mailbox',
  sentText:
    'Als er een account met dit adres bestaat, is er een e-mail met een link onderweg. De link werkt één keer, binnen het uur.',
  sentHint: 'Na enkele minuten nog niets? Kijk bij de ongewenste e-mail of vraag het aan uw beheerder.',
  backToSignIn: 'Terug naar het aanmelden',
  resetTitle: 'Kies een nieuw wachtwoord',
  resetLead: 'Alle sessies van uw account worden beëindigd; daarna meldt u zich aan met het nieuwe wachtwoord.',
  newPassword: 'Nieuw wachtwoord',
  repeatPassword: 'Nieuw wachtwoord, nog een keer',
  passwordHint: 'Minstens 12 tekens. Enkele woorden die alleen u samen zou zetten, zijn goed.',
  resetSubmit: 'Het wachtwoord instellen',
  expiredTitle: 'Deze link is niet meer geldig',
  expiredText: 'Hij is al gebruikt, is ouder dan een uur, of het wachtwoord is sindsdien gewijzigd.',
  askAgain: 'Een nieuwe link aanvragen',
} satisfies Texts['signIn'];
