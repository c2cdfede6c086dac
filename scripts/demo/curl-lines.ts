import { shorten } from '../supervisor/terminal.ts';
import { demoEnvironmentFile, quote } from './demo-environment.ts';

/** Returns commands for a POSIX shell that send the PDF at `pdfFile` as a letter, with the keys of `demo.env`. */
export function curlLines(dataDir: string, pdfFile: string, pageCount: number): string {
  const letter = `"zone":"NATIONAL","serviceType":"standard","pages":${pageCount}`;
  const recipient = '{"name":"Ada Peeters","line1":"Rue Haute 1","zip":"1000","city":"Bruxelles","country":"BE"}';
  return `. ${quote(shorten(demoEnvironmentFile(dataDir)))}
pdf=${quote(shorten(pdfFile))}
auth="Authorization: Bearer $BLUEJAY_TEST_KEY"
json='Content-Type: application/json'

curl -sS "$BLUEJAY_URL/v1/quote" -H "$auth" -H "$json" -d '{${letter}}'

upload=$(curl -sS "$BLUEJAY_URL/v1/uploads" -H "$auth" -H "$json" \\
  -d '{"filename":"letter.pdf","mimeType":"application/pdf","sizeBytes":'"$(wc -c < "$pdf")"'}')
key=$(echo "$upload" | sed 's/.*"s3Key":"\\([^"]*\\)".*/\\1/')
url=$(echo "$upload" | sed 's/.*"uploadUrl":"\\([^"]*\\)".*/\\1/')
curl -sS -X PUT "$url" -H 'Content-Type: application/pdf' --data-binary "@$pdf"

curl -sS "$BLUEJAY_URL/v1/mails" -H "$auth" -H "$json" -d '{${letter},
  "recipients":[${recipient}],
  "files":[{"s3Key":"'$key'"}]}'

curl -sS "$BLUEJAY_URL/v1/mails?limit=1" -H "$auth"`;
}
