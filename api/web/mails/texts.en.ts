/** The texts of emails, in plain text. */
export const mails = {
  signature: 'Bluejay',
  passwordReset: {
    subject: 'Reset your Bluejay password',
    text: (link: string) =>
      `Hello,\n\nWe received a request to reset the password of your Bluejay account. To choose a new password, open this link within one hour:\n\n${link}\n\nThe link works once. If you did not request it, you can ignore this email. Your password stays the same.`,
  },
  passwordChanged: {
    subject: 'Your Bluejay password was changed',
    text: (link: string) =>
      `Hello,\n\nThe password of your Bluejay account has just been changed, and all other sessions have been signed out.\n\nIf you did not change it, reset your password now and contact your administrator:\n\n${link}`,
  },
  failedSignIns: {
    subject: 'Failed sign-ins to your Bluejay account',
    text: ({ attempts, link }: { attempts: number; link: string }) =>
      `Hello,\n\nThere have been ${attempts} attempts today to sign in to your Bluejay account with a wrong password.\n\nIf this was you, choose a new password with the link below. If not, your password has protected your account and you do not need to do anything.\n\nAfter 100 wrong passwords in one day, you can only sign in from browsers that you have used before. This link always works:\n\n${link}`,
  },
};
