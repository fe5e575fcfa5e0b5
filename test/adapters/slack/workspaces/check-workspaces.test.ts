import { expect, it } from 'vitest'
import { checkWorkspaces } from '#adapters/slack/workspaces/check-workspaces.ts'
import { SECRET, setMany } from './many.ts'

it('doctor looks at the app, the redirect address and each installation, and says what to do', async () => {
  const { cloud, store, adapter, install } = await setMany()
  await install('T1')
  await install('T2')
  cloud.oauth.revoke('T2')
  const server = await import('node:http').then(({ createServer }) =>
    createServer((request, response) => {
      const url = `http://127.0.0.1${request.url ?? ''}`
      void adapter
        .fetch(new Request(url))
        .then(async (answer) => response.writeHead(answer.status).end(await answer.text()))
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const options = {
    clientId: cloud.clientId,
    clientSecret: cloud.clientSecret,
    signingSecret: cloud.signingSecret,
    apiUrl: cloud.apiUrl,
    publicUrl: `http://127.0.0.1:${port}`,
    installations: store.state('slack-installation', [SECRET]),
  }
  expect((await checkWorkspaces(options)).map(({ ok, text }) => `${ok ? 'ok' : 'FAIL'} ${text}`)).toEqual([
    'ok Slack: client id and client secret are good',
    expect.stringMatching(/^ok Slack: events come over HTTP/),
    `ok Slack: http://127.0.0.1:${port}/slack/oauth_redirect leads to Footbridge`,
    'ok Slack workspace Team T1 (T1): its token is good',
    expect.stringMatching(
      /^FAIL Slack workspace Team T2 \(T2\): its token is refused \(account_inactive\). Install again: http/,
    ),
  ])
  server.close()
  server.closeAllConnections()
  const wrong = await checkWorkspaces({ ...options, clientSecret: 'no', installations: undefined })
  expect(wrong.filter(({ ok }) => !ok).map(({ text }) => text)).toEqual([
    expect.stringMatching(/refuses SLACK_CLIENT_ID or SLACK_CLIENT_SECRET \(bad_client_secret\)/),
    expect.stringMatching(/can't be reached/),
  ])
  const sealed = await checkWorkspaces({
    ...options,
    installations: store.state('slack-installation', ['x'.repeat(32)]),
  })
  expect(sealed).toEqual([{ ok: false, text: expect.stringMatching(/another SECRET_KEY/) as string }])
})
