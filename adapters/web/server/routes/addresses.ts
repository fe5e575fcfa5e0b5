import type { ChannelFiles } from '#bridge/port/channel-files.ts'
import type { ConversationRef } from '#bridge/port/message.ts'
import { versionOf } from '#adapters/shared/page-pictures.ts'

/** A place on the page that an address names: a message, or a file of its list. */
export type Place =
  | { readonly channel: string; readonly message: string }
  | { readonly channel: string; readonly file: URLSearchParams }

const FILE_PATH = /^\/api\/web\/channels\/([^/]+)\/files\/bytes$/

/** @param base outside address of the page */
export function placeOfAddress(url: string, base: string | undefined): Place | undefined {
  const address = base?.replace(/\/+$/, '')
  const parsed = URL.parse(url)
  if (address === undefined || parsed === null || !parsed.href.startsWith(`${address}/`)) return undefined
  const { hash, searchParams } = parsed
  const path = parsed.href.slice(address.length).split(/[?#]/, 1)[0] ?? ''
  const [channel = '', message = ''] = hash.slice(1).split('/')
  if (parsed.href === `${address}/${hash}`) return { channel, message }
  const [, ofFile] = FILE_PATH.exec(path) ?? []
  return ofFile === undefined ? undefined : { channel: decoded(ofFile), file: searchParams }
}

/** A person may have typed the address. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/** The file that an address of its bytes names, by its id or by its name and version. */
export async function fileAt(
  files: Pick<ChannelFiles, 'list'>,
  conversation: ConversationRef,
  asked: URLSearchParams,
): Promise<{ readonly id: string; readonly file: string } | undefined> {
  const all = await files.list(conversation)
  const id = asked.get('id')
  const found =
    id === null
      ? versionOf(all, asked.get('name') ?? '', Number(asked.get('version') ?? 0))
      : all.flatMap((file) => [file, ...file.earlier]).find((one) => one.id === id)
  return found && { id: found.messageId, file: found.id }
}
