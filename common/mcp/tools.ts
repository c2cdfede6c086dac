import type { AnyTool } from './tool.ts';
import { cancelLetter } from './tools/cancel-letter.ts';
import { checkDocument } from './tools/check-document.ts';
import { createUploadLink } from './tools/create-upload-link.ts';
import { getLetter } from './tools/get-letter.ts';
import { getWallet } from './tools/get-wallet.ts';
import { listAddresses } from './tools/list-addresses.ts';
import { listEvents } from './tools/list-events.ts';
import { listLetters } from './tools/list-letters.ts';
import { prepareLetter } from './tools/prepare-letter.ts';
import { quoteLetter } from './tools/quote-letter.ts';
import { saveAddress } from './tools/save-address.ts';
import { searchDocs } from './tools/search-docs.ts';
import { sendLetter } from './tools/send-letter.ts';
import { simulateLetter } from './tools/simulate-letter.ts';

/** All tools, in the order in which models see them. */
export const tools: readonly AnyTool[] = [
  quoteLetter,
  createUploadLink,
  checkDocument,
  listAddresses,
  saveAddress,
  prepareLetter,
  sendLetter,
  getLetter,
  listLetters,
  cancelLetter,
  getWallet,
  listEvents,
  simulateLetter,
  searchDocs,
];
