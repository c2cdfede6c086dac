/** Fetches a signed URL. */
export async function download(url: string): Promise<{ status: number; type: string | null; bytes: Buffer }> {
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, type: answer.headers.get('content-type'), bytes };
}
