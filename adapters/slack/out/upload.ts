import { setTimeout as sleep } from 'node:timers/promises'
import type { Adapter } from '../../../src/bridge/port/adapter.ts'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import type { ConversationRef, MessageRef, Outgoing } from '../../../src/bridge/port/message.ts'
import type { Api } from '../api.ts'
import { remember } from '../directory.ts'
import { isAllowed } from '../in/download.ts'
import { list, text, toFields } from '../../shared/json.ts'
import { toMrkdwn } from './markup.ts'
import { mentionsOf } from './allowed-mentions.ts'

export type Upload = Required<Pick<Adapter, 'upload'>>['upload']
type SentFile = Parameters<Upload>[1]

interface UploadParts {
  readonly api: Api
  readonly fileHosts: readonly string[]
  readonly checkLength: (markdown: string) => void
  readonly shown: (conversation: ConversationRef) => void
}

const uploadMs = 120_000
const mostSends = 500
/** Slack says in which message a file stands only a moment after it has put it there. */
const looksMs = [0, 200, 400, 800, 1_600, 3_000]

async function sendBytes(address: string, file: SentFile, hosts: readonly string[]): Promise<void> {
  const url = URL.parse(address)
  if (url === null || !isAllowed(url, hosts))
    throw new AdapterError(
      'invalid',
      `Slack wants the file at ${url?.host ?? 'an unknown address'}, which is not a host of Slack. Allow it with FILE_HOSTS.`,
    )
  const init = {
    method: 'POST',
    body: file.bytes,
    headers: { 'content-type': 'application/octet-stream' },
    redirect: 'error',
    signal: AbortSignal.timeout(uploadMs),
  } as const
  const response = await fetch(url, init).catch((error: unknown) => {
    throw new AdapterError('network', 'The file did not reach Slack. Try again in a moment.', {
      cause: error,
    })
  })
  await response.body?.cancel()
  if (!response.ok)
    throw new AdapterError(
      'network',
      `Slack did not take the file (HTTP ${response.status}). Try again later.`,
    )
}

/** Files out: an address is asked for, the bytes go there, and then the file is shown, all in one message. */
export function createUpload({ api, fileHosts, checkLength, shown }: UploadParts): Upload {
  const sent = new Map<string, MessageRef>()
  /** Bytes that are up, by send id: showing them again shows them once. */
  const begun = new Map<string, string>()

  async function putUp(file: SentFile): Promise<string> {
    const filename = file.name.replaceAll(/[\p{Cc}/\\]/gu, '_').slice(-200)
    const answer = await api.call(
      'files.getUploadURLExternal',
      (web) => web.files.getUploadURLExternal({ filename, length: file.bytes.size }),
      { repeatable: true },
    )
    await sendBytes(answer.upload_url ?? '', file, fileHosts)
    return answer.file_id ?? ''
  }

  async function messageOf(id: string, channel: string): Promise<string | undefined> {
    const answer = await api.call('files.info', (web) => web.files.info({ file: id }), { repeatable: true })
    const shares = toFields(toFields(answer.file)['shares'])
    for (const kind of ['public', 'private']) {
      const [share] = list(toFields(shares[kind]), channel)
      if (share !== undefined) return text(share, 'ts')
    }
    return undefined
  }

  async function patiently(id: string, channel: string): Promise<string | undefined> {
    for (const ms of looksMs) {
      await sleep(ms)
      const ts = await messageOf(id, channel).catch(() => undefined)
      if (ts !== undefined) return ts
    }
    return undefined
  }

  async function show(id: string, { channel, thread }: ConversationRef, outgoing: Outgoing, title: string) {
    const comment = [mentionsOf(outgoing), toMrkdwn(outgoing.text)].filter((part) => part !== '').join('\n')
    const place = { channel_id: channel, ...(thread === undefined ? {} : { thread_ts: thread }) }
    await api.call('files.completeUploadExternal', (web) =>
      web.files.completeUploadExternal({
        ...place,
        files: [{ id, title }],
        ...(comment === '' ? {} : { initial_comment: comment }),
      }),
    )
  }

  return async (conversation, file, outgoing) => {
    checkLength(outgoing.text)
    const { sendId } = outgoing
    const known = sent.get(sendId)
    if (known !== undefined) return known
    const earlier = begun.get(sendId)
    const id = earlier ?? (await putUp(file))
    remember(begun, sendId, id, mostSends)
    // The answer to an earlier try may have been lost.
    const there = earlier === undefined ? undefined : await messageOf(id, conversation.channel)
    if (there === undefined) await show(id, conversation, outgoing, file.name)
    shown(conversation)
    const ts = there ?? (await patiently(id, conversation.channel))
    const ref = { conversation, id: ts ?? id }
    remember(sent, sendId, ref, mostSends)
    return ref
  }
}
