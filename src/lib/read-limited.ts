/** All bytes of a stream; undefined if there are more than `most`. A reported length is not trusted. */
export async function readLimited(
  stream: ReadableStream<Uint8Array>,
  most: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of stream) {
    size += piece.byteLength
    if (size > most) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
