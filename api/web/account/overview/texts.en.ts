import { pluralOf } from '#api/web/texts/format.ts';

export { letters } from '#api/web/account/letters/texts.en.ts';
export { reports } from '#api/web/account/reports/texts.en.ts';

const plural = pluralOf('en');

export const overview = {
  wallets: 'Wallets',
  balance: { live: 'Live wallet', test: 'Test wallet' },
  attention: 'Needs your attention',
  lowBalance: (balance: string) =>
    `Your live wallet is down to ${balance}. Top it up in time: letters are refused once it is empty.`,
  disabledWebhooks: (count: number, mode: string) =>
    `${plural(count, { one: '# webhook is disabled and receives no events', other: '# webhooks are disabled and receive no events' })} (${mode}).`,
  failedLetters: (count: number, mode: string) =>
    `${plural(count, { one: '# letter', other: '# letters' })} failed in the last seven days (${mode}). The price was refunded.`,
  recent: 'Recent letters',
  allLetters: 'All letters',
  noLetters: 'No letters yet',
  noLettersHint:
    'Send the first one here, or create an API key and send it from your own system. Test letters cost nothing.',
  makeKey: 'Create an API key',
  letter: 'Letter',
  recipient: 'Recipients',
  price: 'Price',
  created: 'Created',
};
