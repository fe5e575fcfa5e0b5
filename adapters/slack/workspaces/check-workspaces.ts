import type { State } from '#bridge/port/state.ts'
import { call, type EventCheck, eventFinding, fault, scopeFinding, type SlackFinding } from '../check.ts'
import { REDIRECT_PATH, type SlackOptions } from '../config.ts'
import { createInstallations, type Installation } from './installations.ts'
import { MARK } from './install-page.ts'

export interface CheckedWorkspaces extends EventCheck, Pick<SlackOptions, 'apiUrl'> {
  readonly clientId: string
  readonly clientSecret: string
  readonly publicUrl: string
  /** Undefined: there is no store yet. */
  readonly installations?: State
}

const CHECK_MS = 15_000

/** Asks Slack about the app and each installation, and looks whether the redirect address leads to Footbridge. */
export async function checkWorkspaces(options: CheckedWorkspaces): Promise<readonly SlackFinding[]> {
  const root = (options.apiUrl ?? 'https://slack.com/api').replace(/\/+$/, '')
  try {
    return [
      await appFinding(root, options),
      await eventFinding(root, options),
      await redirectFinding(options.publicUrl),
      ...(await installationFindings(root, options)),
    ]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [fault(`Slack can't be checked (${why}). Check the network, SLACK_API_URL and SECRET_KEY`)]
  }
}

/** A code that does not exist: Slack looks at the app first. */
async function appFinding(root: string, { clientId, clientSecret, publicUrl }: CheckedWorkspaces) {
  const redirect_uri = `${publicUrl}${REDIRECT_PATH}`
  const args = { client_id: clientId, client_secret: clientSecret, code: 'footbridge-doctor', redirect_uri }
  const { error } = await call(root, 'oauth.v2.access', undefined, args)
  if (error === 'invalid_code') return { ok: true, text: 'Slack: client id and client secret are good' }
  if (error === 'bad_redirect_uri')
    return fault(`Slack does not know ${redirect_uri}. Add it under "Redirect URLs"`, 'oauth')
  return fault(
    `Slack refuses SLACK_CLIENT_ID or SLACK_CLIENT_SECRET (${error ?? 'no answer'}). Copy both from "Basic Information"`,
    'general',
  )
}

async function redirectFinding(publicUrl: string): Promise<SlackFinding> {
  const address = `${publicUrl}${REDIRECT_PATH}`
  try {
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(CHECK_MS) })
    if ((await response.text()).includes(MARK)) return { ok: true, text: `Slack: ${address} leads to Footbridge` }
    return fault(`${address} does not lead to Footbridge (HTTP ${response.status}). Let the proxy pass /slack/ to it`)
  } catch {
    return fault(`${address} can't be reached. Start Footbridge, and check PUBLIC_URL and the proxy`)
  }
}

async function installationFindings(root: string, options: CheckedWorkspaces): Promise<readonly SlackFinding[]> {
  const { installations: state, publicUrl } = options
  const installations = state && createInstallations(state)
  const ids = (await installations?.all()) ?? []
  if (ids.length === 0)
    return [
      { ok: true, text: `Slack: no workspace has installed Footbridge yet; they do at ${publicUrl}/slack/install` },
    ]
  const findings: SlackFinding[] = []
  for (const id of ids) {
    const installation = await installations?.get(id)
    if (installation !== undefined) findings.push(await installationFinding(root, installation, publicUrl))
  }
  return findings
}

async function installationFinding(root: string, installation: Installation, publicUrl: string): Promise<SlackFinding> {
  const { workspace, name, botToken, expiresAt = Infinity } = installation
  const { error, scopes } = await call(root, 'auth.test', botToken)
  const what = `Slack workspace ${name} (${workspace})`
  if (error === 'token_expired' && expiresAt <= Date.now())
    return { ok: true, text: `${what}: its token has expired, and is renewed when Footbridge runs` }
  if (error !== undefined)
    return fault(`${what}: its token is refused (${error}). Install again: ${publicUrl}/slack/install`)
  const { ok, text } = scopeFinding(scopes)
  return ok
    ? { ok, text: `${what}: its token is good` }
    : { ok, text: `${what}: ${text.replace(/^Slack: /, '')}; here: ${publicUrl}/slack/install` }
}
