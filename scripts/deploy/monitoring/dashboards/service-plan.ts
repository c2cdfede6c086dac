import type { DashboardPlan } from './dashboard.ts';

const created = 'http_server_request_duration_seconds_count{method="POST",route="/v1/mails"';
const window = '$__rate_interval';

/** Returns the 50th and the 95th percentile of a histogram, without or by a label. */
function percentiles(histogram: string, by?: string): [expr: string, legend: string][] {
  const labels = by === undefined ? 'le' : `le, ${by}`;
  const suffix = by === undefined ? '' : ` {{${by}}}`;
  return [0.5, 0.95].map((share) => [
    `histogram_quantile(${share}, sum by (${labels}) (rate(${histogram}[${window}])))`,
    `p${share * 100}${suffix}`,
  ]);
}

/** What customers notice: whether letters are accepted, printed and reported, and what that depends on. */
export const servicePlan: DashboardPlan = {
  uid: 'bluejay-service',
  title: 'Bluejay: service',
  description:
    'Objectives, creation, errors, latency, wallet and stores. Objectives are in scripts/deploy/monitoring/slo.md.',
  sections: [
    {
      title: 'Objectives',
      diagrams: [
        {
          title: 'Letters refused with a 5xx',
          description: 'Objective: below 0.1 % over 30 days.',
          unit: 'percentunit',
          queries: [
            ['bluejay:creation_errors:ratio1h', 'last hour'],
            ['bluejay:creation_errors:ratio6h', 'last six hours'],
          ],
        },
        {
          title: 'Letters printed late',
          description: 'Objective: below 1 % over 30 days, live and test.',
          unit: 'percentunit',
          queries: [
            ['bluejay:printed_late:ratio1h', '{{mode}}, last hour'],
            ['bluejay:printed_late:ratio6h', '{{mode}}, last six hours'],
          ],
        },
        {
          title: 'Webhooks first tried late',
          description: 'Objective: below 1 % over 30 days.',
          unit: 'percentunit',
          queries: [
            ['bluejay:first_attempts_late:ratio1h', 'last hour'],
            ['bluejay:first_attempts_late:ratio6h', 'last six hours'],
          ],
        },
      ],
    },
    {
      title: 'Creation',
      diagrams: [
        {
          title: 'Letters sent',
          description: 'POST /v1/mails by status class. `sandbox`: failures that a test key asked for.',
          unit: 'reqps',
          queries: [[`sum by (status_class) (rate(${created}}[${window}]))`, '{{status_class}}']],
        },
        {
          title: 'Time to accept a letter',
          description: 'Duration of POST /v1/mails.',
          unit: 's',
          queries: percentiles('http_server_request_duration_seconds_bucket{method="POST",route="/v1/mails"}'),
        },
        {
          title: 'Results of debits',
          description: 'Sends by result: debited, repeat, or the error code.',
          unit: 'reqps',
          queries: [[`sum by (result) (rate(wallet_debits_total[${window}]))`, '{{result}}']],
        },
      ],
    },
    {
      title: 'All requests',
      diagrams: [
        {
          title: 'Requests',
          description: 'Requests to the API by route.',
          unit: 'reqps',
          queries: [
            [
              `sum by (method, route) (rate(http_server_request_duration_seconds_count[${window}]))`,
              '{{method}} {{route}}',
            ],
          ],
        },
        {
          title: 'Requests by status class',
          description: '5xx are faults of the service, 4xx refused requests.',
          unit: 'reqps',
          queries: [
            [`sum by (status_class) (rate(http_server_request_duration_seconds_count[${window}]))`, '{{status_class}}'],
          ],
        },
        {
          title: 'Duration of requests',
          description: '95th percentile by route.',
          unit: 's',
          queries: [
            [
              `histogram_quantile(0.95, sum by (le, method, route) (rate(http_server_request_duration_seconds_bucket[${window}])))`,
              '{{method}} {{route}}',
            ],
          ],
        },
      ],
    },
    {
      title: 'Wallet',
      diagrams: [
        {
          title: 'Duration of commits',
          description: 'The transactions that debit letters, including retries.',
          unit: 's',
          queries: percentiles('wallet_commit_seconds_bucket'),
        },
        {
          title: 'Letters per commit, and retries',
          description: 'More letters per commit under load is wanted. Retries are conflicts of transactions.',
          unit: 'short',
          queries: [
            [
              `sum(rate(wallet_batch_size_sum[${window}])) / sum(rate(wallet_batch_size_count[${window}]))`,
              'letters per commit',
            ],
            [`sum(rate(mongo_txn_retries_total[${window}]))`, 'retries per second'],
          ],
        },
        {
          title: 'Ledger',
          description: 'Violations must be 0. The check runs every hour.',
          unit: 'short',
          queries: [
            ['max(wallet_invariant_violations)', 'violations'],
            ['max(ledger_reconcile_age_seconds) / 3600', 'hours since the last check'],
          ],
        },
      ],
    },
    {
      title: 'Stores and processes',
      diagrams: [
        {
          title: 'Stores that answer',
          description: 'The lowest over all processes: 0 when one process does not reach the store.',
          unit: 'bool_yes_no',
          queries: [['min by (process, dependency) (dependency_up)', '{{process}}: {{dependency}}']],
        },
        {
          title: 'CPU',
          description: 'Cores that each process uses.',
          unit: 'short',
          queries: [[`rate(process_cpu_seconds_total{job="bluejay"}[${window}])`, '{{process}} {{instance}}']],
        },
        {
          title: 'Memory',
          description: 'Resident memory of each process, without the processes that open documents.',
          unit: 'bytes',
          queries: [['process_resident_memory_bytes{job="bluejay"}', '{{process}} {{instance}}']],
        },
        {
          title: 'Event loop lag',
          description: '99th percentile. Above 0.1 s a process has too little CPU.',
          unit: 's',
          queries: [['nodejs_eventloop_lag_p99_seconds{job="bluejay"}', '{{process}} {{instance}}']],
        },
        {
          title: 'Clock offset',
          description: 'From the clock of the database. Leases and due times need less than a second.',
          unit: 's',
          queries: [['abs(clock_offset_seconds)', '{{process}} {{instance}}']],
        },
      ],
    },
  ],
};
