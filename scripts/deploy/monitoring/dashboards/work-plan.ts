import type { DashboardPlan } from './dashboard.ts';

const window = '$__rate_interval';

/** What happens after a letter is accepted: due work, print production, webhooks, and the processes that do it. */
export const workPlan: DashboardPlan = {
  uid: 'bluejay-work',
  title: 'Bluejay: work',
  description:
    'Due work by queue, print production, webhooks and workers. What is stored once is shown by the worker that scans.',
  sections: [
    {
      title: 'Due work',
      diagrams: [
        {
          title: 'Oldest due work',
          description:
            'How long the oldest unclaimed work of each queue has been due. Growing by a second per second: it stands.',
          unit: 's',
          queries: [['max by (queue) (work_oldest_due_seconds)', '{{queue}}']],
        },
        {
          title: 'Messages that wait',
          description: 'Hints in Redis that no worker has taken yet. MongoDB may hold more work than hints.',
          unit: 'short',
          queries: [['sum by (queue) (max by (queue, state) (bullmq_jobs{state=~"waiting|delayed"}))', '{{queue}}']],
        },
        {
          title: 'Work that failed',
          description: 'Failures per second by queue. Each is retried.',
          unit: 'reqps',
          queries: [[`sum by (queue) (rate(work_failures_total[${window}]))`, '{{queue}}']],
        },
      ],
    },
    {
      title: 'Print production',
      diagrams: [
        {
          title: 'Time to printed',
          description: '95th percentile: live from the closing of the batch, test beyond the step delay.',
          unit: 's',
          queries: [
            [
              `histogram_quantile(0.95, sum by (le, mode) (rate(letter_printed_seconds_bucket[${window}])))`,
              '{{mode}}',
            ],
          ],
        },
        {
          title: 'Letters printed',
          description: 'Letters reported as printed per second.',
          unit: 'reqps',
          queries: [[`sum by (mode) (rate(letter_printed_seconds_count[${window}]))`, '{{mode}}']],
        },
        {
          title: 'Waiting for a person',
          description: 'Batches in doubt or with a problem, and live letters that no provider prints.',
          unit: 'short',
          queries: [
            ['max(press_batches_for_operator)', 'batches'],
            ['max(press_letters_without_provider)', 'letters without a provider'],
          ],
        },
        {
          title: 'Tracking numbers left',
          description: 'S10 numbers in open ranges, by service indicator and country.',
          unit: 'short',
          queries: [['min by (indicator, country) (press_tracking_numbers_left)', '{{indicator}} {{country}}']],
        },
        {
          title: 'Simulated provider',
          description: 'Yes: live letters are reported as posted, and never printed.',
          unit: 'bool_yes_no',
          queries: [['max(press_simulated_provider_live)', 'live letters are simulated']],
        },
      ],
    },
    {
      title: 'Webhooks',
      diagrams: [
        {
          title: 'Time to the first attempt',
          description: 'From the event, or from when its endpoint could take it.',
          unit: 's',
          queries: [
            [`histogram_quantile(0.5, sum by (le) (rate(delivery_first_attempt_seconds_bucket[${window}])))`, 'p50'],
            [`histogram_quantile(0.95, sum by (le) (rate(delivery_first_attempt_seconds_bucket[${window}])))`, 'p95'],
          ],
        },
        {
          title: 'Time to the first success',
          description: 'From the event to the first 2xx, including the retries that a receiver causes.',
          unit: 's',
          queries: [
            [`histogram_quantile(0.5, sum by (le) (rate(delivery_lag_seconds_bucket[${window}])))`, 'p50'],
            [`histogram_quantile(0.95, sum by (le) (rate(delivery_lag_seconds_bucket[${window}])))`, 'p95'],
          ],
        },
        {
          title: 'Attempts by result',
          description: 'Results and classes of errors.',
          unit: 'reqps',
          queries: [[`sum by (result, error_class) (rate(deliveries_total[${window}]))`, '{{result}} {{error_class}}']],
        },
        {
          title: 'Backlog',
          description: 'Deliveries that are due and not in flight, and posts in flight.',
          unit: 'short',
          queries: [
            ['max(delivery_due_backlog)', 'due'],
            ['sum(inflight_webhooks)', 'in flight'],
          ],
        },
        {
          title: 'Oldest due delivery',
          description: 'Deliveries of paused endpoints are not due.',
          unit: 's',
          queries: [['max(delivery_oldest_due_seconds)', 'oldest']],
        },
        {
          title: 'Endpoints in trouble',
          description:
            'Endpoints paused after failures, webhooks disabled, and lost wake-ups repaired in the last hour.',
          unit: 'short',
          queries: [
            ['max(endpoint_breaker_open)', 'paused'],
            ['sum(increase(endpoints_disabled_total[1h]))', 'disabled'],
            ['sum(increase(endpoints_forgotten_total[1h]))', 'repaired'],
          ],
        },
      ],
    },
    {
      title: 'Fairness',
      diagrams: [
        {
          title: 'Endpoints and letters in hand',
          description:
            'Messages that workers hold. A queue at its limit while others wait is shared among organizations.',
          unit: 'short',
          queries: [['max by (queue) (bullmq_jobs{state="active"})', '{{queue}}']],
        },
        {
          title: 'Waiting relative to in hand',
          description: 'Messages that wait for each one in hand. High in one queue: add workers of that kind.',
          unit: 'short',
          queries: [
            [
              'max by (queue) (bullmq_jobs{state="waiting"}) / (max by (queue) (bullmq_jobs{state="active"}) + 1)',
              '{{queue}}',
            ],
          ],
        },
      ],
    },
    {
      title: 'Workers',
      diagrams: [
        {
          title: 'Last work picked up',
          description: 'Seconds since each process last picked up a message. An idle installation picks up chores.',
          unit: 's',
          queries: [['worker_last_pick_age_seconds', '{{instance}}']],
        },
        {
          title: 'Scans',
          description: 'Mean duration of a scan for due work, in the process that scans, and the age of the last one.',
          unit: 's',
          queries: [
            [
              `sum(rate(scanner_tick_seconds_sum[${window}])) / sum(rate(scanner_tick_seconds_count[${window}]))`,
              'duration',
            ],
            ['time() - max(scanner_last_tick_timestamp_seconds)', 'age of the last scan'],
          ],
        },
        {
          title: 'Messages whose worker stalled',
          description: 'Workers that stopped renewing the lock of their message: they hung or were killed.',
          unit: 'reqps',
          queries: [[`sum by (queue) (rate(worker_stalled_total[${window}]))`, '{{queue}}']],
        },
      ],
    },
  ],
};
