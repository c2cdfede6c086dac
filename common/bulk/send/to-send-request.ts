import type { ReadySendRequest } from '#common/mail-jobs/model/send-request.ts';
import { readLetter, recipientOf, zoneOf } from '../check/read-letter.ts';
import type { BulkRecord } from '../model/bulk.model.ts';
import { type BulkRowRecord, externalIdOf } from '../model/bulk-row.model.ts';

/** Returns the document of a row: its own or the shared one. Those of a template are set first. */
export function filesOf({ files }: BulkRecord, { s3Key }: BulkRowRecord): { s3Key: string }[] {
  return s3Key === undefined ? files.map((file) => ({ s3Key: file.s3Key })) : [{ s3Key }];
}

/** Returns the request to send that a row stands for. It costs no more than when the row was checked. */
export function toSendRequest(
  bulk: BulkRecord,
  row: BulkRowRecord,
  files: ReadySendRequest['body']['files'],
): ReadySendRequest {
  const { organizationId, mode, mapping, serviceType, color, doubleSided, acknowledgmentReceipt } = bulk;
  const { scheduledDropAt, sender } = bulk;
  if (mapping === null) throw new Error(`Bulk ${bulk._id} has no mapping`);
  const letter = readLetter(row.cells, mapping, bulk.zone);
  const { reference } = letter;
  return {
    body: {
      zone: bulk.zone ?? zoneOf(letter),
      ...{ serviceType, color, doubleSided, acknowledgmentReceipt, pages: row.pages },
      // A time that has passed since means: with the next cutoff.
      ...(scheduledDropAt !== null && { scheduledDropAt }),
      ...(sender && { sender }),
      recipients: [recipientOf(letter)],
      files,
      externalId: externalIdOf(row),
      ...(reference !== '' && { metadata: { reference } }),
      ...(!bulk.acceptsNewPrice && { maxTotalCents: row.priceCents }),
    },
    ...(bulk.template && { template: bulk.template }),
    idempotencyKey: null,
    owner: { organizationId, mode },
    // Nothing is shown to the caller here, so no scope is needed.
    credential: { id: bulk.credentialId, scopes: [], ...(bulk.createdBy && { actor: bulk.createdBy }) },
  };
}
