import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { eventually, expect } from '../jest.ts';
import { aPdf, type Customer, upload } from './customer.ts';

/** Sends a letter of blank pages, and returns it once it is rendered or has failed. */
export async function renderedLetter(
  customer: Customer,
  { bytes, pages = 1, ...overrides }: { bytes?: Buffer; pages?: number } & Record<string, unknown> = {},
): Promise<MailJobRecord> {
  const files = [{ s3Key: await upload(customer, bytes ?? (await aPdf(pages))) }];
  const mailJobId = await customer.sendAccepted({ files, pages, ...overrides });
  const read = async () => await MailJob.findById(mailJobId).orFail().lean<MailJobRecord>();
  await eventually(async () => expect((await read()).printFile ?? (await read()).failure).not.toBeNull());
  return await read();
}
