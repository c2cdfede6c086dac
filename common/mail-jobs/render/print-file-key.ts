/** Returns the object store key of a job's print file. Every rendering of the job writes to the same key. */
export function printFileKey(organizationId: string, mailJobId: string): string {
  return `p/${organizationId}/${mailJobId}.pdf`;
}
