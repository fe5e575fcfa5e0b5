import { request } from 'node:http'
import { once } from 'node:events'
import { callPlatform, management, startPlatform, type Platform } from '../platform.ts'
import { peakOf } from '../process.ts'
import type { Row } from '../row.ts'

const megabyte = 1024 * 1024
const sizeMegabytes = 100
const boundary = 'footbridge-bench'

/** Sends a file of text piece by piece, so that this process holds none of it. */
async function upload(platform: Platform, name: string, megabytes: number): Promise<number> {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  const tail = `\r\n--${boundary}--\r\n`
  const piece = Buffer.alloc(megabyte, 'The ferry leaves at nine. ')
  const at = performance.now()
  const sent = request(`${new URL(platform.baseUrl).origin}${management}/collection/bench/files/`, {
    method: 'POST',
    headers: {
      authorization: platform.key,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + megabytes * piece.length + tail.length,
    },
  })
  const answered = once(sent, 'response')
  sent.write(head)
  for (let index = 0; index < megabytes; index += 1) {
    if (!sent.write(piece)) await once(sent, 'drain')
  }
  sent.end(tail)
  const [response] = await answered
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 201) throw new Error(`The upload was answered with ${response.statusCode}.`)
  return performance.now() - at
}

/** Costs of an upload of the largest file on the server. */
export const uploadRow: Row = {
  name: 'upload',
  async run(scope) {
    const platform = await startPlatform(scope)
    const json = { 'content-type': 'application/json' }
    const collection = { method: 'POST', headers: json, body: JSON.stringify({ name: 'bench' }) }
    await callPlatform(platform, `${management}/collection/`, collection)
    await upload(platform, 'small.md', 1)
    const before = peakOf(platform.pid)
    const ms = await upload(platform, 'large.md', sizeMegabytes)
    const one = peakOf(platform.pid)
    await Promise.all(['a.md', 'b.md', 'c.md'].map((name) => upload(platform, name, sizeMegabytes)))
    const three = peakOf(platform.pid)
    const detail = `most ever held: ${before.toFixed(0)} MB before, ${one.toFixed(0)} MB after it, ${three.toFixed(0)} MB after three more at once`
    return [
      {
        name: `upload of ${sizeMegabytes} MB, memory that it adds`,
        value: one - before,
        unit: 'MB',
        goal: 100,
        detail,
      },
      { name: `upload of ${sizeMegabytes} MB, sent to stored`, value: ms, unit: 'ms' },
    ]
  },
}
