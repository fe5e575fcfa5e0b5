import { AdapterError } from '#bridge/port/errors.ts'
import type { State } from '#bridge/port/state.ts'
import { number, text, toFields } from '#adapters/shared/json.ts'
import type { Identity } from '../config.ts'

/** Footbridge in one workspace, or in a whole organization (Enterprise Grid), with its token. */
export interface Installation {
  /** The team, or the organization (`E…`); `ConversationRef.workspace` of all that is said there. */
  readonly workspace: string
  readonly name: string
  readonly userId: string
  readonly botId: string
  readonly botToken: string
  /** With token rotation: gives the next token, once. */
  readonly refreshToken?: string
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number
  readonly installedAt: number
  /** Id of the event by which Slack said that it is gone: the data of the workspace is being deleted. */
  readonly goneBy?: string
}

/** Installations in an encrypted state. Every method rejects when the store can't be read. */
export interface Installations {
  get(workspace: string): Promise<Installation | undefined>
  put(installation: Installation): Promise<void>
  remove(workspace: string): Promise<void>
  /** Workspaces, in order of their ids. */
  all(): Promise<readonly string[]>
}

export const identityOf = ({ workspace, userId, botId }: Installation): Identity => ({ team: workspace, userId, botId })

function read(value: unknown, workspace: string): Installation {
  const fields = toFields(value)
  const [name, userId, botToken] = [text(fields, 'name'), text(fields, 'userId'), text(fields, 'botToken')]
  // Somebody who writes into the store must not lend one workspace the token of another.
  if (text(fields, 'workspace') !== workspace || userId === undefined || botToken === undefined)
    throw new AdapterError('invalid', `The stored installation of the Slack workspace ${workspace} is not its own.`)
  return {
    workspace,
    name: name ?? workspace,
    userId,
    botId: text(fields, 'botId') ?? '',
    botToken,
    refreshToken: text(fields, 'refreshToken'),
    expiresAt: number(fields, 'expiresAt'),
    installedAt: number(fields, 'installedAt') ?? 0,
    goneBy: text(fields, 'goneBy'),
  }
}

export function createInstallations(state: State): Installations {
  return {
    async get(workspace) {
      const value = await state.get(workspace)
      return value === undefined ? undefined : read(value, workspace)
    },
    put: (installation) => state.set(installation.workspace, installation),
    async remove(workspace) {
      await state.delete(workspace)
    },
    all: () => state.keys(),
  }
}
