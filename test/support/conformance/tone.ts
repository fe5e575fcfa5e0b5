/** A recording of half a second: a tone, as WAV with 16 kHz and 16 bits. */
export function makeTone(): Uint8Array<ArrayBuffer> {
  const rate = 16_000
  const samples = rate / 2
  const bytes = Buffer.alloc(44 + samples * 2)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + samples * 2, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples * 2, 40)
  for (let at = 0; at < samples; at += 1) {
    bytes.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 440 * at) / rate)), 44 + at * 2)
  }
  return new Uint8Array(bytes)
}
