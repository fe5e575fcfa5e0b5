/** The smallest possible Slack bot: Bolt in Socket Mode, the first delta posted at once, the whole text at the end. */
import { App } from '@slack/bolt'
import { askModel } from './deltas.ts'

const [slackApiUrl = '', token = '', appToken = '', baseUrl = ''] = process.argv.slice(2)
const app = new App({ token, appToken, socketMode: true, clientOptions: { slackApiUrl } })

app.event('app_mention', async ({ event, say, client }) => {
  let text = ''
  let ts: string | undefined
  for await (const piece of askModel(baseUrl, event.text)) {
    text += piece
    ts ??= (await say({ text, thread_ts: event.ts })).ts
  }
  if (ts !== undefined) await client.chat.update({ channel: event.channel, ts, text })
})

await app.start()
process.stdout.write('ready\n')
process.once('SIGTERM', () => process.exit(0))
