/** Why a letter cannot be typeset, as numbers between the processes. */
export const refusals = { too_hard: 0, logo_unreadable: 1 } as const;

/** Why a letter cannot be typeset, and what its author should do. */
export const letterFaults = {
  too_hard: 'The letter could not be typeset within the limits of time and memory. Shorten it.',
  too_many_pages: 'The letter would have more than 50 pages. Shorten it, or send it as files.',
  logo_unreadable: 'The logo of the letterhead could not be read. Save it as PNG or JPEG again and replace it.',
} as const;
export type LetterFault = keyof typeof letterFaults;

/** Returns the fault that a message is about, null for any other message. */
export function faultOfMessage(message: string): LetterFault | null {
  const found = Object.entries(letterFaults).find(([, known]) => known === message);
  return (found?.[0] as LetterFault | undefined) ?? null;
}

/** The letter cannot be typeset on any machine. `message` is for its author. */
export class LetterError extends Error {
  override readonly name = 'LetterError';
  readonly fault: LetterFault;

  constructor(fault: LetterFault) {
    super(letterFaults[fault]);
    this.fault = fault;
  }
}
