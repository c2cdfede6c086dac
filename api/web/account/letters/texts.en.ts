/** The list of letters. */
export const letters = {
  lead: 'All letters of your organization, newest first.',
  clear: 'Clear filters',
  zone: 'Destination',
  externalId: 'Your own ID',
  from: 'Created from',
  to: 'Created until',
  letter: 'Letter',
  recipients: 'Recipients',
  price: 'Price',
  created: 'Created',
  none: 'No letters yet',
  noneHint: 'Letters that you or your systems send in this mode appear here.',
  noMatch: 'No matching letters',
  noMatchHint: 'Choose a longer period or clear the filters.',
};
