/** Files that the app puts up: an address, the bytes, and the message that shows them. */
import { writable, threadRoot, type Method } from './chat.ts'
import { isJson, Refusal, str } from './types.ts'
import { toWire } from './workspace.ts'

const MOST_BYTES = 1_073_741_824

export const uploadMethods: Readonly<Record<string, Method>> = {
  'files.getUploadURLExternal': (args, { workspace, uploadUrl }) => {
    const name = str(args['filename']) ?? ''
    const length = Number(args['length'])
    if (name === '' || !Number.isInteger(length) || length < 1) throw new Refusal('invalid_arguments')
    if (length > MOST_BYTES) throw new Refusal('file_upload_size_restricted')
    const id = workspace.nextId('F')
    workspace.uploads.set(id, { name, length })
    return { upload_url: uploadUrl(id), file_id: id }
  },
  'files.completeUploadExternal': (args, context) => {
    const { workspace } = context
    const wanted = Array.isArray(args['files']) ? args['files'].filter(isJson) : []
    if (wanted.length === 0) throw new Refusal('invalid_arguments')
    const channel = writable(workspace, args['channel_id'])
    const threadTs = threadRoot(workspace, channel.id, args['thread_ts'])
    const files = wanted.map((file) => {
      const id = str(file['id']) ?? ''
      const upload = workspace.uploads.get(id)
      if (upload?.bytes === undefined) throw new Refusal('file_not_found')
      workspace.uploads.delete(id)
      const record = { ...context.host(id, upload.bytes, upload.name), title: str(file['title']) ?? upload.name }
      workspace.files.get(id)?.shares.add(channel.id)
      return record
    })
    const message = workspace.insert({
      channel: channel.id,
      ...(threadTs === undefined ? {} : { threadTs }),
      user: workspace.botUserId,
      botId: workspace.botId,
      subtype: 'file_share',
      text: str(args['initial_comment']) ?? '',
      blocks: [],
      files,
    })
    context.echo({ ...toWire(workspace, message, false), channel: channel.id, event_ts: message.ts })
    // The answer does not name their message.
    return { files: files.map(({ id, title }) => ({ id, title })) }
  },
}
