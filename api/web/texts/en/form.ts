/** Texts that all forms and lists share. */
export const form = {
  problem: 'There is a problem',
  optional: 'optional',
  newer: 'Newest',
  older: 'Older',
  pagination: 'Pages of this list',
  copy: 'Copy',
  copied: 'Copied',
  errors: {
    required: 'Fill in this field.',
    tooLong: 'This is too long. Shorten it.',
    invalid: 'This value is not valid. Check it and try again.',
    NOT_CANCELLABLE: 'This letter can no longer be cancelled: it has gone to print.',
    choose: 'Choose an option.',
    chooseOne: 'Choose at least one option.',
    belgianZip: 'Enter a Belgian postal code: four digits from 1000 to 9999.',
    wrongSignIn: 'The email address or password is incorrect. Check both and try again.',
    wrongPassword: 'This is not your current password.',
    passwordTooShort: 'Use at least 12 characters.',
    passwordTooLong: 'Use at most 200 characters.',
    passwordCommon: 'Attackers try this password first. Choose a few words that only you would combine.',
    passwordOwn:
      'This password is too similar to your email address or the name of your organization. Choose another one.',
    passwordsDiffer: 'The two passwords do not match.',
    throttled: 'Too many attempts. Wait a moment, then try again.',
    amount: 'Enter an amount in euros, such as 25 or 25.50.',
    amountOutOfRange: 'This amount is too small or too large.',
    numberOutOfRange: 'This number is too small or too large.',
    WEBHOOK_DISABLED: 'The webhook is disabled. Enable it first.',
    DELIVERY_IN_FLIGHT: 'This delivery is being sent right now. Check again in a few seconds.',
    LIMIT_REACHED:
      'Your organization has reached its limit. Remove something you no longer need, or use a smaller amount.',
    tooManyKeys:
      'You have 50 keys in this mode, the maximum. Revoke one that you no longer use, then create a new one.',
    linkExpired: 'This link has been used or has expired. Request a new one.',
  },
};
