/** The statuses of a letter and of its copies, from the first to the last. */
export const mailStatuses = ['queued', 'printed', 'posted', 'delivered', 'failed'] as const;
export type MailStatus = (typeof mailStatuses)[number];
