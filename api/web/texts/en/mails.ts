/** What mails say, in plain text. */
export const mails = {
  signature: 'Bluejay',
  passwordReset: {
    subject: 'A new password for Bluejay',
    text: (link: string) =>
      `Hello,\n\nsomebody, you we hope, has asked for a new password for your Bluejay account. Open this link within one hour to choose it:\n\n${link}\n\nIt works once. If it was not you, there is nothing to do: your password stays as it is.`,
  },
  passwordChanged: {
    subject: 'Your Bluejay password was changed',
    text: (link: string) =>
      `Hello,\n\nthe password of your Bluejay account has just been changed, and all other sessions have ended.\n\nIf it was not you, ask for a new password at once, and tell your administrator:\n\n${link}`,
  },
};
