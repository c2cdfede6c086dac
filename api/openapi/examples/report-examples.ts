const days = { from: '2026-03-02', to: '2026-03-03' };
const head = { mode: 'test' as const, timeZone: 'Europe/Brussels' as const, ...days };

const counts = { queued: 0, printed: 1, posted: 6, delivered: 2, failed: 1, total: 10 };
const fewer = { queued: 3, printed: 0, posted: 0, delivered: 0, failed: 0, total: 3 };
export const lettersExample = {
  query: { ...days },
  json: {
    ...head,
    interval: 'day' as const,
    data: [
      { period: '2026-03-02', ...counts },
      { period: '2026-03-03', ...fewer },
    ],
    totals: { queued: 3, printed: 1, posted: 6, delivered: 2, failed: 1, total: 13 },
  },
  csv: `record,period,queued,printed,posted,delivered,failed,total\r
row,2026-03-02,0,1,6,2,1,10\r
row,2026-03-03,3,0,0,0,0,3\r
total,,3,1,6,2,1,13\r
`,
};

const spend = { letters: 13, debitedCents: 2_964, refundedCents: 228, spentCents: 2_736 };
export const spendExample = {
  query: { ...days },
  json: {
    ...head,
    interval: 'month' as const,
    currency: 'EUR' as const,
    data: [{ period: '2026-03', ...spend }],
    totals: spend,
  },
  csv: `record,period,letters,debitedCents,refundedCents,spentCents\r
row,2026-03,13,2964,228,2736\r
total,,13,2964,228,2736\r
`,
};

export const failuresExample = {
  query: { ...days },
  json: { ...head, data: [{ reason: 'FILE_UNREADABLE' as const, letters: 1 }], totals: { letters: 1 } },
  csv: `record,reason,letters\r
row,FILE_UNREADABLE,1\r
total,,1\r
`,
};

const none = { letters: 0, p50Minutes: null, p90Minutes: null, p95Minutes: null };
const toPosted = { stretch: 'queued_to_posted' as const };
const toDelivered = { stretch: 'posted_to_delivered' as const };
export const deliveryTimesExample = {
  query: { ...days },
  json: {
    ...head,
    data: [
      { serviceType: 'standard' as const, ...toPosted, letters: 6, p50Minutes: 310, p90Minutes: 345, p95Minutes: 345 },
      { serviceType: 'standard' as const, ...toDelivered, ...none },
      { serviceType: 'prior' as const, ...toPosted, ...none },
      { serviceType: 'prior' as const, ...toDelivered, ...none },
      {
        serviceType: 'registered' as const,
        ...toPosted,
        letters: 2,
        p50Minutes: 280,
        p90Minutes: 290,
        p95Minutes: 290,
      },
      {
        serviceType: 'registered' as const,
        ...toDelivered,
        letters: 2,
        p50Minutes: 1260,
        p90Minutes: 2820,
        p95Minutes: 2820,
      },
    ],
    totals: { letters: 8 },
  },
  csv: `record,serviceType,stretch,letters,p50Minutes,p90Minutes,p95Minutes\r
row,standard,queued_to_posted,6,310,345,345\r
row,standard,posted_to_delivered,0,,,\r
row,prior,queued_to_posted,0,,,\r
row,prior,posted_to_delivered,0,,,\r
row,registered,queued_to_posted,2,280,290,290\r
row,registered,posted_to_delivered,2,1260,2820,2820\r
total,,,8,,,\r
`,
};
