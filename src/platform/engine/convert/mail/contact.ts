import { asOnePart, ConvertError, type ReadDocument } from '../reader.ts'
import { type ContentLine, decodeLines, partsBetween, readContentLines } from './content-lines.ts'
import { writeHead, writePlain, writeTitle } from './write.ts'

const CARD: ReadonlySet<string> = new Set(['VCARD'])

const LABELS: Readonly<Record<string, string>> = {
  ORG: 'Company',
  TITLE: 'Title',
  ROLE: 'Role',
  EMAIL: 'Mail',
  TEL: 'Phone',
  ADR: 'Address',
  URL: 'Website',
  BDAY: 'Birthday',
  NICKNAME: 'Nickname',
  CATEGORIES: 'Categories',
}

/** `Phone (work)`. Contacts of version 2.1 name the type without a key. */
function labelOf({ name, params }: ContentLine): string {
  const types = [params['TYPE'] ?? '', ...Object.keys(params).filter((key) => params[key] === '')]
    .flatMap((type) => type.toLowerCase().split(','))
    .filter((type) => /^(?:work|home|cell|fax|mobile|main|pager)$/.test(type))
  const label = LABELS[name] ?? name
  return types.length === 0 ? label : `${label} (${[...new Set(types)].join(', ')})`
}

function writeCard(lines: readonly ContentLine[]): string {
  const find = (name: string) => lines.find((line) => line.name === name)
  const [family = '', given = '', middle = ''] = find('N')?.parts ?? []
  const full = find('FN')?.value ?? [given, middle, family].filter((part) => part !== '').join(' ')
  const heads = new Map<string, string>()
  for (const line of lines) {
    if (LABELS[line.name] === undefined) continue
    const value = line.parts
      .filter((part) => part !== '')
      .join(', ')
      .replaceAll('\n', ', ')
    if (value === '') continue
    const label = labelOf(line)
    const before = heads.get(label)
    heads.set(label, before === undefined ? value : `${before}; ${value}`)
  }
  return [
    writeTitle(full === '' ? 'Contact' : full, 1),
    writeHead(Object.fromEntries(heads)),
    writePlain(find('NOTE')?.value ?? ''),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Contacts (vCard 2.1 to 4.0), one section each. */
export const readContacts: ReadDocument = ({ bytes }) => {
  const text = decodeLines(bytes)
  if (!/^BEGIN:VCARD/im.test(text)) throw new ConvertError('broken')
  return Promise.resolve(asOnePart(partsBetween(readContentLines(text), CARD).map(writeCard).join('\n\n')))
}
