/** Why an address cannot be printed. */
export type AddressFaultReason = 'does_not_fit' | 'unprintable';

/** An address that cannot be printed. The message does not contain the address. */
export class AddressFault extends Error {
  readonly reason: AddressFaultReason;
  readonly of: 'sender' | 'recipient';
  /** The characters that the font lacks or that need shaping, each once. Empty for `does_not_fit`. */
  readonly characters: readonly string[];

  constructor(reason: AddressFaultReason, of: 'sender' | 'recipient', characters: readonly string[] = []) {
    super(`The address of the ${of} cannot be printed: ${reason}`);
    this.name = 'AddressFault';
    this.reason = reason;
    this.of = of;
    this.characters = characters;
  }
}
