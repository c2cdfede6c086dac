/** Where the print file of a job lies in the object store: one place, however often it is rendered. */
export function printFileKey(organizationId: string, mailJobId: string): string {
  return `p/${organizationId}/${mailJobId}.pdf`;
}
