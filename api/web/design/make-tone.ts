const sampleRate = 8_000;
const headerBytes = 44;

/** Returns a tone as a WAV file (RIFF, PCM of 8 bits, mono): a square wave, which is heard beside a printer. */
export function makeTone({ hertz, seconds }: { hertz: number; seconds: number }): Buffer {
  const count = Math.round(sampleRate * seconds);
  const file = Buffer.alloc(headerBytes + count);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  // PCM, one channel.
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate, 28);
  // Bytes and bits of a sample.
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(count, 40);
  for (let index = 0; index < count; index += 1) {
    const isHigh = Math.floor((index * hertz * 2) / sampleRate) % 2 === 0;
    file[headerBytes + index] = isHigh ? 192 : 64;
  }
  return file;
}
