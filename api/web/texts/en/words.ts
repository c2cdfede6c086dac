/** Labels, of values too, that appear on many pages. */
export const words = {
  labels: { mode: 'Mode', status: 'Status', service: 'Service', show: 'Show', all: 'All' },
  modes: { test: 'Test', live: 'Live' },
  /** As in the text of a template. */
  variable: (name: string) => `Variable ((${name}))`,
  statuses: {
    queued: 'Queued',
    printed: 'Printed',
    posted: 'Posted',
    delivered: 'Delivered',
    failed: 'Failed',
  },
  serviceTypes: { standard: 'Standard', prior: 'Priority', registered: 'Registered' },
  sides: { legend: 'Sides of the paper', two: 'Both sides', one: 'One side' },
  zones: { NATIONAL: 'Belgium', INTERNATIONAL: 'Abroad' },
  returnReasons: {
    unknown_address: 'unknown address',
    moved: 'moved',
    refused: 'refused',
    unclaimed: 'not collected',
    insufficient_address: 'incomplete address',
    deceased: 'deceased',
    other: 'other reason',
  },
  createdBy: 'Created by',
  creators: { key: 'API key', application: 'Application', user: 'User', other: 'Operator' },
  balanceHint: { live: 'Pays for real letters', test: 'Play money for testing' },
  list: 'List',
  rowOfList: (row: string) => `Row ${row}`,
  versionOf: (version: string) => `Version ${version}`,
  findLetters: 'Find letters',
};
