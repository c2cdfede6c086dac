import type { Texts } from '../en.ts';

export const mails = {
  signature: 'Bluejay',
  passwordReset: {
    subject: 'Een nieuw wachtwoord voor Bluejay',
    text: (link: string) =>
      `Hallo,\n\niemand, hopelijk uzelf, heeft een nieuw wachtwoord voor uw Bluejay-account gevraagd. Open deze link binnen het uur om het te kiezen:\n\n${link}\n\nHij werkt één keer. Was u het niet, dan hoeft u niets te doen: uw wachtwoord blijft zoals het is.`,
  },
  passwordChanged: {
    subject: 'Uw Bluejay-wachtwoord is gewijzigd',
    text: (link: string) =>
      `Hallo,\n\nhet wachtwoord van uw Bluejay-account is zopas gewijzigd en alle andere sessies zijn beëindigd.\n\nWas u het niet, vraag dan meteen een nieuw wachtwoord aan en verwittig uw beheerder:\n\n${link}`,
  },
} satisfies Texts['mails'];
