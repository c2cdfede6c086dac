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
};
