import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { circularOffice, circularPdfs, makeManyTexts, makeScans } from '../fixtures/documents/endless.ts'
import { makePictures } from '../fixtures/scan.ts'
import type { Footbridge } from '../support/footbridge.ts'
import type { Flood, Target } from './floods.ts'

const WORDS = 'The harbour fee is forty euros a night'
/** The picture waits for the documents before it; a minute is what a page may take. */
const PICTURE_MS = 60_000
const BOUNDARY = 'flood-boundary'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`

const toForm = (name: string, content: Uint8Array) =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="document"; filename="${name}"\r\n\r\n`),
    content,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])

/** Each document on a connection of its own, three times at once. */
function convert({ port, bearer }: Target, documents: readonly (readonly [name: string, content: Uint8Array])[]) {
  return [...documents, ...documents, ...documents].map(([name, content]) => {
    const form = toForm(name, content)
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
    socket.write(
      `POST /v1/documents/convert HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${bearer}\r\ncontent-type: ${TYPE}\r\ncontent-length: ${form.length}\r\n\r\n`,
    )
    socket.write(form)
    return socket.resume()
  })
}

/** Documents that hold their reader, or fill its memory: while they are read, a picture of somebody else is. */
export const ENDLESS: readonly Flood[] = [
  {
    name: 'pictures of 20,000 scans',
    isDocument: true,
    send: (target) => convert(target, [['scans.jpg', makeScans(20_000)]]),
  },
  {
    name: 'PDFs with a million sideways texts',
    isDocument: true,
    send: (target) => convert(target, [['sideways.pdf', makeManyTexts(1_000_000)]]),
  },
  {
    name: 'PDFs with circles',
    isDocument: true,
    send: (target) =>
      convert(
        target,
        circularPdfs().map(([, content], nth) => [`circle-${nth}.pdf`, content]),
      ),
  },
  { name: 'DOC and MSG in circles', isDocument: true, send: (target) => convert(target, circularOffice()) },
]

function kilobytesOf(process: number | string): number {
  try {
    return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${process}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    // It has just ended.
    return 0
  }
}

/** Resident memory of the service and its children, in megabytes. */
export function familyMegabytes({ pid }: Footbridge): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return Math.round([pid, ...children].reduce<number>((sum, process) => sum + kilobytesOf(process), 0) / 1024)
}

/** Somebody else with a key, who sends a picture. @returns a function that tells the faults of the read text. */
export async function openReader({ dataDir, url }: Footbridge): Promise<() => Promise<string[]>> {
  const [picture = Buffer.alloc(0)] = await makePictures([{ text: WORDS }], { dpi: 110 })
  const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
  const said = execFileSync(process.execPath, [cli, 'keys', 'add', 'ben'], {
    env: { DATA_DIR: dataDir },
    encoding: 'utf8',
  })
  const key = /\bfb-\S+/.exec(said)?.[0]
  if (key === undefined) throw new Error(`No key was made: ${said}`)
  return async () => {
    const { statusCode, body } = await request(`http://127.0.0.1:${new URL(url).port}/v1/documents/convert`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': TYPE },
      body: toForm('sign.png', picture),
      signal: AbortSignal.timeout(PICTURE_MS),
      headersTimeout: PICTURE_MS,
    })
    const text = await body.text()
    const isRead = statusCode === 200 && text.replaceAll(/\\n|\s+/g, ' ').includes(WORDS)
    return isRead ? [] : [`another person's picture came back as ${statusCode}: ${text.slice(0, 200)}`]
  }
}
