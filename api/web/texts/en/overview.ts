import { pluralOf } from '../../format.ts';

const plural = pluralOf('en');

export const overview = {
  title: 'Overview',
  wallets: 'Wallets',
  balance: { live: 'Live wallet', test: 'Test wallet' },
  balanceHint: { live: 'Pays for real letters', test: 'Play money for trying out' },
  attention: 'Needs your attention',
  lowBalance: (balance: string) => `The live wallet is down to ${balance}. Letters are refused once it is empty.`,
  disabledWebhooks: (count: number, mode: string) =>
    `${plural(count, { one: '# webhook is disabled', other: '# webhooks are disabled' })} (${mode}): its events are not delivered.`,
  failedLetters: (count: number, mode: string) =>
    `${plural(count, { one: '# letter has failed', other: '# letters have failed' })} in the last seven days (${mode}). The price was refunded.`,
  recent: 'Recent letters',
  allLetters: 'All letters',
  noLetters: 'No letters yet',
  noLettersHint: 'Make an API key, and send the first one from your own system. A test key costs nothing.',
  makeKey: 'Make an API key',
  letter: 'Letter',
  recipient: 'Recipients',
  status: 'Status',
  mode: 'Mode',
  price: 'Price',
  created: 'Created',
};
