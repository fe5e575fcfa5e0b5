import { setTimeout as sleep } from 'node:timers/promises'
import type { Adapter, SentFile } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { ConversationRef, MessageRef, Outgoing } from '#bridge/port/message.ts'
import { createLru } from '#lib/lru.ts'
import { type AllowedHosts, isAllowedHost } from '#adapters/shared/files.ts'
import { list, text, toFields } from '#adapters/shared/json.ts'
import { toUploadName } from '#adapters/shared/outgoing.ts'
import { type Api, REPEATABLE } from '../api.ts'
import { checkLength, mentionsOf } from './blocks.ts'
import { toMrkdwn } from './markup.ts'

interface UploadParts {
  readonly api: Api
  readonly hosts: AllowedHosts
  readonly shown: (conversation: ConversationRef) => void
}

const UPLOAD_MS = 120_000
const MAX_SENDS = 500
/** Pauses between polls: Slack reports the message of a file with a delay. */
const POLL_WAITS_MS = [0, 200, 400, 800, 1_600, 3_000]

async function sendBytes(address: string, file: SentFile, hosts: AllowedHosts): Promise<void> {
  const url = URL.parse(address)
  if (url === null || !isAllowedHost(url, hosts))
    throw new AdapterError(
      'invalid',
      `Slack wants the file at ${url?.host ?? 'an unknown address'}, which is not a host of Slack. Allow it with FILE_HOSTS.`,
    )
  const init = {
    method: 'POST',
    body: file.bytes,
    headers: { 'content-type': 'application/octet-stream' },
    redirect: 'error',
    signal: AbortSignal.timeout(UPLOAD_MS),
  } as const
  const response = await fetch(url, init).catch((error: unknown) => {
    throw new AdapterError('network', 'The file did not reach Slack. Try again in a moment.', { cause: error })
  })
  await response.body?.cancel()
  if (!response.ok)
    throw new AdapterError('network', `Slack did not take the file (HTTP ${response.status}). Try again later.`)
}

/** Uploads the bytes; resolves with the id of the file. */
async function uploadBytes({ api, hosts }: UploadParts, file: SentFile): Promise<string> {
  const args = { filename: toUploadName(file.name), length: file.bytes.size }
  const answer = await api.call('files.getUploadURLExternal', (web) => web.files.getUploadURLExternal(args), REPEATABLE)
  await sendBytes(answer.upload_url ?? '', file, hosts)
  return answer.file_id ?? ''
}

/** The message that shows a file. */
async function messageOf(api: Api, id: string, channel: string): Promise<string | undefined> {
  const answer = await api.call('files.info', (web) => web.files.info({ file: id }), REPEATABLE)
  const shares = toFields(toFields(answer.file)['shares'])
  for (const kind of ['public', 'private']) {
    const [share] = list(toFields(shares[kind]), channel)
    if (share !== undefined) return text(share, 'ts')
  }
  return undefined
}

async function awaitMessage(api: Api, id: string, channel: string): Promise<string | undefined> {
  for (const ms of POLL_WAITS_MS) {
    await sleep(ms)
    const ts = await messageOf(api, id, channel).catch(() => undefined)
    if (ts !== undefined) return ts
  }
  return undefined
}

async function show(api: Api, id: string, { channel, thread }: ConversationRef, outgoing: Outgoing, title: string) {
  const comment = [mentionsOf(outgoing), toMrkdwn(outgoing.text)].filter((part) => part !== '').join('\n')
  const args = { channel_id: channel, files: [{ id, title }] as [{ id: string; title: string }] }
  await api.call('files.completeUploadExternal', (web) =>
    web.files.completeUploadExternal({
      ...args,
      ...(thread === undefined ? {} : { thread_ts: thread }),
      ...(comment === '' ? {} : { initial_comment: comment }),
    }),
  )
}

export function createUpload(parts: UploadParts): NonNullable<Adapter['upload']> {
  const { api, shown } = parts
  const sent = createLru<MessageRef>(MAX_SENDS)
  /** Uploaded files by send id: a repeated send shows the file once. */
  const uploaded = createLru<string>(MAX_SENDS)

  return async (conversation, file, outgoing) => {
    checkLength(outgoing.text)
    const { sendId } = outgoing
    const known = sent.get(sendId)
    if (known !== undefined) return known
    const earlier = uploaded.get(sendId)
    const id = earlier ?? (await uploadBytes(parts, file))
    uploaded.set(sendId, id)
    // The response to an earlier call may have been lost.
    const there = earlier === undefined ? undefined : await messageOf(api, id, conversation.channel)
    if (there === undefined) await show(api, id, conversation, outgoing, file.name)
    shown(conversation)
    const ts = there ?? (await awaitMessage(api, id, conversation.channel))
    const ref = { conversation, id: ts ?? id }
    sent.set(sendId, ref)
    return ref
  }
}
