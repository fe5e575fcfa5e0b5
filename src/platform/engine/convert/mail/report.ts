import { decodeText } from '#platform/engine/text/decode.ts'
import { writeHead } from './write.ts'

/** Parts of `multipart/report` that report in fields on a mail (RFC 3464, RFC 8098, RFC 5965). */
const REPORTS = /^message\/(?:(?:global-)?(?:delivery-status|disposition-notification)|feedback-report)$/

/** Fields of a report: a mail could not be delivered, or was read. Undefined for any other part. */
export function reportToMarkdown(mimeType: string, content: Uint8Array): string | undefined {
  if (!REPORTS.test(mimeType)) return undefined
  const groups = decodeText(Buffer.from(content))
    .replaceAll(/\r\n?/g, '\n')
    // A long field continues on the next line after a blank.
    .replaceAll(/\n[ \t]+(?=\S)/g, ' ')
    .split(/\n\s*\n/)
  const written = groups.map((group) =>
    writeHead(
      Object.fromEntries(
        [...group.matchAll(/^([\w-]{1,60}):[ \t]*(.*)$/gm)].map(([, name, said]) => [name, said?.trim()]),
      ),
    ),
  )
  return ['## Report', ...written.filter((one) => one !== '')].join('\n\n')
}
