/** Labels of values that appear on many pages. */
export const words = {
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
};
