/** A Slack bot on Vercel's Chat SDK, as its guide begins: the stream of the model is posted into the thread. */
import { createSlackAdapter } from '@chat-adapter/slack'
import { createMemoryState } from '@chat-adapter/state-memory'
import { Chat } from 'chat'
import { askModel } from '../deltas.ts'

const [apiUrl, botToken, appToken, baseUrl] = process.argv.slice(2)
const slack = createSlackAdapter({ mode: 'socket', apiUrl, botToken, appToken })
const bot = new Chat({ userName: 'bench', adapters: { slack }, state: createMemoryState(), logger: 'silent' })

bot.onNewMention(async (thread, message) => {
  await thread.post(askModel(baseUrl, message.text))
})

await bot.initialize()
process.stdout.write('ready\n')
process.once('SIGTERM', () => process.exit(0))
