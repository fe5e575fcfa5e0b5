import { streamsOf } from './streams.ts'

/** Text of an object that is looked at. */
const OBJECT_BYTES = 2000
const MAX_PACKED_BYTES = 16_000_000

type Take = (number: number, text: string) => void

/** Objects outside of streams. */
function takePlain(bytes: Buffer, take: Take): void {
  for (let at = bytes.indexOf(' obj'); at !== -1; at = bytes.indexOf(' obj', at + 4)) {
    const number = /(\d{1,9})\s+\d{1,5}$/.exec(bytes.toString('latin1', Math.max(0, at - 20), at))?.[1]
    if (number !== undefined) take(Number(number), bytes.toString('latin1', at + 4, at + 4 + OBJECT_BYTES))
  }
}

/** Objects that are packed into streams, whose beginning has the offset of each. */
function takePacked(bytes: Buffer, take: Take): void {
  for (const { head, content } of streamsOf(bytes)) {
    if (!/\/ObjStm\b/.test(head)) continue
    const text = content(MAX_PACKED_BYTES)
    const start = Number(/\/First\s+(\d{1,9})/.exec(head)?.[1] ?? 0)
    const numbers =
      text
        .slice(0, start)
        .match(/\d{1,9}/g)
        ?.map(Number) ?? []
    for (let index = 0; index + 1 < numbers.length; index += 2) {
      const from = start + (numbers[index + 1] ?? 0)
      take(numbers[index] ?? 0, text.slice(from, start + (numbers[index + 3] ?? from - start + OBJECT_BYTES)))
    }
  }
}

/** Gives the beginning of each object of the file, by itself or packed, without its stream. */
export function takeObjects(bytes: Buffer, take: Take): void {
  const plain: Take = (number, object) => take(number, object.split(/endobj|stream/, 1)[0] ?? '')
  takePlain(bytes, plain)
  takePacked(bytes, plain)
}
