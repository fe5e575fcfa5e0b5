import { isUtf8 } from 'node:buffer'
import { decodeAs } from '#lib/decode.ts'
import { decodeText } from '#platform/engine/text/decode.ts'

/** A line of a calendar or a contact: `TEL;TYPE=work:+39 055 1234` (RFC 5545 section 3.1, RFC 6350 section 3.3). */
export interface ContentLine {
  /** In capitals, without the group of a contact (`item1.TEL`). */
  readonly name: string
  /** Parameters by their names in capitals. */
  readonly params: Readonly<Record<string, string>>
  /** Without escapes; a part list such as an address has its parts in `parts`. */
  readonly value: string
  /** The value cut at semicolons that are not escaped. */
  readonly parts: readonly string[]
}

const LINE = /^(?:[\w-]{1,60}\.)?(?<name>[\w-]{1,60})(?<params>(?:;(?:"[^"]*"|[^":;])*)*):(?<value>.*)$/s

const unescape = (text: string) =>
  text.replaceAll(/\\([nN\\,;:])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign)).trim()

/** Text in the encoding that the file names; without one, in the one that fits. */
const decodeNamed = (bytes: Buffer, charset = 'utf-8'): string =>
  (/^utf-?8$/i.test(charset) ? undefined : decodeAs(charset, bytes)) ?? decodeText(bytes)

/** Contacts of old telephones have letters as `=C3=A4`, and name their encoding. */
function fromQuotedPrintable(text: string, charset = 'utf-8'): string {
  const bytes = Buffer.from(
    text.replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  return decodeNamed(bytes, charset)
}

/** Lines in quoted-printable that go on after `=`. Each is tried from its beginning only: it may be as long as the file. */
const CUT_ONCE = /^(?=[^\n]*ENCODING=QUOTED-PRINTABLE)[^\n]*(?:=\n[^\n]*)+/gim
const CUT_TWICE = /^(?=[^\n]*QUOTED-PRINTABLE)[^\n]*(?:=\r?\n[ \t][^\n]*)+/gim

/** Text of a calendar or contact file. A long line may be cut within a letter; contacts of version 2.1 name their encoding. */
export function decodeLines(file: Buffer): string {
  const text = file
    .toString('latin1')
    // Some programs cut a line by its encoding and once more by the form of the file.
    .replaceAll(CUT_TWICE, (line) => line.replaceAll(/=(?=\r?\n[ \t])/g, ''))
    .replaceAll(/\r?\n[ \t]/g, '')
  const bytes = Buffer.from(text, 'latin1')
  const charset = isUtf8(bytes) ? undefined : /;CHARSET="?([\w-]{1,40})/i.exec(bytes.toString('latin1'))?.[1]
  return decodeNamed(bytes, charset)
}

function readParams(text: string): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [, name = '', quoted, plain] of text.matchAll(/;([\w-]{1,60})(?:=(?:"([^"]*)"|((?:"[^"]*"|[^";])*)))?/g)) {
    const key = name.toUpperCase()
    const value = quoted ?? plain ?? ''
    params[key] = params[key] === undefined ? value : `${params[key]},${value}`
  }
  return params
}

/** The lines of a calendar or contact file, in order. Lines that follow no form are left out. */
export function readContentLines(text: string): readonly ContentLine[] {
  // A long line goes on in the next one, after a blank; in quoted-printable, after `=`.
  const unfolded = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\n[ \t]/g, '')
    .replaceAll(CUT_ONCE, (line) => line.replaceAll('=\n', ''))
  return unfolded.split('\n').flatMap((line) => {
    const found = LINE.exec(line)?.groups
    if (found === undefined) return []
    const params = readParams(found['params'] ?? '')
    const raw = found['value'] ?? ''
    const value = /quoted-printable/i.test(params['ENCODING'] ?? '') ? fromQuotedPrintable(raw, params['CHARSET']) : raw
    const parts = value.split(/(?<!\\);/).map(unescape)
    return [{ name: (found['name'] ?? '').toUpperCase(), params, value: unescape(value), parts }]
  })
}

/** The parts between `BEGIN:name` and `END:name`; lines of inner parts of other names are left out. */
export function partsBetween(lines: readonly ContentLine[], names: ReadonlySet<string>): readonly ContentLine[][] {
  const parts: ContentLine[][] = []
  const open: string[] = []
  for (const line of lines) {
    const value = line.value.toUpperCase()
    if (line.name === 'BEGIN') {
      open.push(value)
      if (names.has(value)) parts.push([])
    } else if (line.name === 'END') open.pop()
    else if (names.has(open.at(-1) ?? '')) parts.at(-1)?.push(line)
  }
  return parts.filter((part) => part.length > 0)
}
