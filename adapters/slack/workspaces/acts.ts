import type { Adapter, Limits } from '#bridge/port/adapter.ts'
import type { ConversationRef } from '#bridge/port/message.ts'
import { EDIT_INTERVAL_MS, PRIVATE_TEXT_BYTES, STREAM_LIFETIME_MS, TEXT_BUDGET_BYTES } from '../config.ts'
import { parseLocator } from '../inbound/attachment.ts'
import { createMeter, measure } from '../outbound/markup.ts'
import { opensReferences } from '../outbound/work-objects.ts'

/** Members of the port that belong to one workspace. */
export type Acts = Required<Omit<Adapter, 'name' | 'limits' | 'start' | 'stop' | 'isConnected' | 'roles' | 'messageAt'>>

export const LIMITS: Limits = {
  textLength: TEXT_BUDGET_BYTES,
  measure,
  meter: createMeter,
  editIntervalMs: EDIT_INTERVAL_MS,
  privateTextLength: PRIVATE_TEXT_BYTES,
  wordlessStatus: true,
  stream: { textLength: TEXT_BUDGET_BYTES, lifetimeMs: STREAM_LIFETIME_MS },
}

/**
 * The members of the port, each passed to the workspace that its conversation names.
 *
 * @param actsOf gets an empty name for an attachment from the time of one workspace
 */
export function forward(
  actsOf: (workspace: string) => Promise<Acts>,
  options: Parameters<typeof opensReferences>[0],
): Acts {
  const at = ({ workspace }: ConversationRef) => actsOf(workspace)
  return {
    post: async (place, ...rest) => (await at(place)).post(place, ...rest),
    edit: async (ref, ...rest) => (await at(ref.conversation)).edit(ref, ...rest),
    remove: async (ref) => (await at(ref.conversation)).remove(ref),
    permalink: async (ref) => (await at(ref.conversation)).permalink(ref),
    find: async (place, ...rest) => (await at(place)).find(place, ...rest),
    history: async (place, ...rest) => (await at(place)).history(place, ...rest),
    read: async (ref) => (await at(ref.conversation)).read(ref),
    upload: async (place, ...rest) => (await at(place)).upload(place, ...rest),
    isMember: async (place, ...rest) => (await at(place)).isMember(place, ...rest),
    isAdmin: async (place, ...rest) => (await at(place)).isAdmin(place, ...rest),
    describeChannel: async (place, ...rest) => (await at(place)).describeChannel(place, ...rest),
    open: async (attachment, ...rest) =>
      (await actsOf(parseLocator(attachment.locator).team ?? '')).open(attachment, ...rest),
    stream: async (place, ...rest) => (await at(place)).stream(place, ...rest),
    status: async (place, ...rest) => (await at(place)).status(place, ...rest),
    mark: async (message, ...rest) => (await at(message.conversation)).mark(message, ...rest),
    showForm: async (place, ...rest) => (await at(place)).showForm(place, ...rest),
    people: {
      workspaceKind: 'company',
      kindOf: async (place, ...rest) => (await at(place)).people.kindOf(place, ...rest),
      describe: async (place, ...rest) => (await at(place)).people.describe(place, ...rest),
    },
    app: {
      opensReferences: opensReferences(options),
      showOverview: async (place, ...rest) => (await at(place)).app.showOverview(place, ...rest),
      showCards: async (message, ...rest) => (await at(message.conversation)).app.showCards(message, ...rest),
      showDetails: async (place, ...rest) => (await at(place)).app.showDetails(place, ...rest),
      channelsOf: async (workspace, ...rest) => (await actsOf(workspace)).app.channelsOf(workspace, ...rest),
      isInstalled: async (workspace) => (await actsOf(workspace)).app.isInstalled(workspace),
    },
  }
}
