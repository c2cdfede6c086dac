/** What stands in place of a redacted field. The country stays: it belongs to the price. */
const redacted = 'REDACTED';

const addressAt = (path: string) => ({
  ...{ [`${path}.name`]: redacted, [`${path}.line1`]: redacted, [`${path}.line2`]: null },
  ...{ [`${path}.zip`]: redacted, [`${path}.city`]: redacted },
});

/**
 * Every place that holds a person. Redaction and retention write what `erased` says, and a test searches all stores and
 * logs for people that no place here names. Each collection of the product is in one of the first four lists. The logs of
 * the product contain no personal data, nor does that of MongoDB when its `slowms` is long.
 */
export const personalData = {
  /** Updates that erase the people of a row: with their letter, and of `bulks` 30 days after the end of the list. */
  erased: {
    mail_jobs: {
      $set: {
        ...{ ...addressAt('items.$[]'), ...addressAt('sender'), 'files.$[].filename': redacted },
        // A digest tells whether a document that someone has was this one.
        'files.$[].etag': '',
      },
      $unset: { metadata: '', metadataTags: '', 'items.$[].copySha256': '', 'printFile.sha256': '' },
    },
    returned_items: { $unset: { addressKey: '' } },
    bulk_rows: { $set: { cells: [] } },
    bulks: {
      $set: {
        ...{ sender: null, 'file.filename': redacted, 'file.etag': '' },
        ...{ 'files.$[].filename': redacted, 'files.$[].etag': '' },
      },
      $unset: { documents: '', checking: '', 'format.likely': '' },
    },
  },

  /** Collections whose rows are removed as a whole, within three hours after the time in this field. */
  removed: {
    drafts: 'expiresAt',
    uploads: 'usableUntil',
    preflights: 'expiresAt',
    letter_settings: 'expiresAt',
    temporary_objects: 'removeAt',
    /** What a receiver answered: 30 days after this time. */
    delivery_attempts: 'startedAt',
  },

  /** Collections with data of an organization or its users, who change and remove them themselves. */
  owned: ['organizations', 'users', 'addresses', 'letterheads', 'templates', 'template_versions', 'api_keys'],

  /** Collections that name people by ids only, or by hashes of secrets. */
  none: [
    ...['wallets', 'ledger_entries', 'tariffs', 'storage_use', 'item_history', 'events', 'audit_entries', 'notices'],
    ...['batches', 'press_jobs', 'tracking_ranges', 'sandbox_clocks', 'webhooks', 'endpoints', 'deliveries', 'origins'],
    ...['oauth_clients', 'oauth_grants', 'sessions', 'password_resets', 'spent_tokens', 'failed_sign_ins'],
    ...['idempotency_keys', 'chores', 'pauses'],
  ],

  /** Objects in the store, by the beginning of their keys, and what removes them. */
  objects: {
    'u/': 'the row of the upload',
    'p/': 'the redaction',
    't/': 'the row of the temporary object',
    'press/': 'the redaction, once the batch is printed',
  },
} as const;
