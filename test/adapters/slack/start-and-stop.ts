/** Run as a process of its own: it connects, stops, and is to end by itself. */
import { createSlackAdapter } from '#adapters/slack/adapter.ts'
import { createLogSink } from './log-sink.ts'

const [botToken = '', appToken = '', apiUrl = ''] = process.argv.slice(2)
const adapter = createSlackAdapter({ botToken, appToken, apiUrl, log: createLogSink().log })
await adapter.start(async () => {})
await adapter.stop()
process.stdout.write('stopped\n')
