/** `agents.sessions.*`, by https://docs.slack.dev/ai/agent-sessions. */
import { joined, type Method } from './chat.ts'
import { LIMITS } from './limits.ts'
import { type AgentSession, Refusal, str, type Json } from './types.ts'
import type { Workspace } from './workspace.ts'

/** A session that is processed becomes active by itself an hour after its status was set last. */
const PROCESSING_MS = 3_600_000
const STATUSES = ['active', 'processing', 'suspended', 'closed']

/** A status as of a method: nothing but these words, not even an empty one (hermes-agent#110374). */
export function checkStatus(value: unknown): AgentSession['status'] {
  const status = str(value) ?? ''
  if (STATUSES.includes(status)) return status as AgentSession['status']
  const messages = ['[ERROR] must be a valid enum value [json-pointer:/status]']
  throw new Refusal('invalid_arguments', { response_metadata: { messages } })
}

export function putSession(workspace: Workspace, key: string, status: AgentSession['status'], title?: string) {
  const before = workspace.sessions.get(key)
  const session = { title, ...before, status, at: Date.now() }
  workspace.sessions.set(key, session)
  return session
}

/** The session of a thread now. A message of the app does not change it. */
export function sessionOf(workspace: Workspace, key: string): AgentSession | undefined {
  const session = workspace.sessions.get(key)
  const isLapsed = session?.status === 'processing' && Date.now() - session.at > PROCESSING_MS
  return isLapsed ? { ...session, status: 'active' } : session
}

function checkTitle(value: unknown): string {
  const title = str(value) ?? ''
  if (title.length < 1 || title.length > LIMITS['session title']) throw new Refusal('invalid_arguments')
  return title
}

function threadOf(workspace: Workspace, args: Json): string {
  const { id } = joined(workspace, args['channel_id'])
  const thread = str(args['thread_ts'])
  if (thread === undefined) throw new Refusal('invalid_arguments')
  if (workspace.message(id, thread) === undefined) throw new Refusal('thread_not_found')
  return `${id}:${thread}`
}

export const sessionMethods: Readonly<Record<string, Method>> = {
  'agents.sessions.setStatus': (args, { workspace }) => {
    const status = checkStatus(args['status'])
    const key = threadOf(workspace, args)
    // Slack writes a colon in this title as `_`.
    const given = args['title'] === undefined ? undefined : checkTitle(args['title']).replaceAll(':', '_')
    const { title } = putSession(workspace, key, status, given)
    return { status, agent_status: status, ...(title === undefined ? {} : { title }) }
  },
  'agents.sessions.rename': (args, { workspace }) => {
    const title = checkTitle(args['title'])
    const key = threadOf(workspace, args)
    const session = workspace.sessions.get(key)
    // Live Slack says this of a thread that has no session yet.
    if (session === undefined) throw new Refusal('not_authorized')
    workspace.sessions.set(key, { ...session, title })
    return { title }
  },
}
