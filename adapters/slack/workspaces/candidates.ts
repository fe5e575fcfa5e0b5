import type { Clock } from '#bridge/port/platform.ts'
import type { State } from '#bridge/port/state.ts'
import { createLru } from '#lib/lru.ts'
import { text, toFields } from '#adapters/shared/json.ts'
import type { Installation } from './installations.ts'
import type { Candidates, Candidate } from './shared-channels.ts'

interface CandidatesParts<Found extends Candidate> {
  /** Shared by all processes: an installation is made in one of them. */
  readonly state: State
  readonly find: Candidates<Found>['find']
  readonly clock: Clock
}

/** Another process may have stored or removed an installation. */
const KNOWN_MS = 30_000
const MAX_TEAMS = 5_000

/** Installations by their bots, and by the teams of their people. */
export function createCandidates<Found extends Candidate>({ state, find, clock }: CandidatesParts<Found>) {
  const owners = new Map<string, string>()
  const organizations = createLru<string>(MAX_TEAMS)
  const homes = createLru<{ readonly workspace: string | undefined; readonly at: number }>(MAX_TEAMS)

  const ask = async (key: string): Promise<string | undefined> => text(toFields(await state.get(key)), 'workspace')

  async function findHome(team: string): Promise<Found | undefined> {
    const known = homes.get(team)
    if (known !== undefined && clock() - known.at < KNOWN_MS)
      return known.workspace === undefined ? undefined : find(known.workspace)
    const organization = (await find(team)) === undefined ? await ask(`team:${team}`) : undefined
    const found = await find(organization ?? team)
    homes.set(team, { workspace: found?.installation.workspace, at: clock() })
    return found
  }

  return {
    find,
    findHome,
    hosts: state,
    ownerOf: (userId: string) => owners.get(userId),
    askOwner: (userId: string) => ask(`bot:${userId}`),
    know: ({ userId, workspace }: Installation) => void owners.set(userId, workspace),
    async installed({ userId, workspace }: Installation): Promise<void> {
      owners.set(userId, workspace)
      homes.delete(workspace)
      await state.set(`bot:${userId}`, { workspace })
    },
    /** Slack says that this team is one of an organization that has Footbridge. */
    async isTeamOf(team: string, organization: string): Promise<void> {
      if (organizations.get(team) === organization) return
      await state.set(`team:${team}`, { workspace: organization })
      organizations.set(team, organization)
      homes.delete(team)
    },
    async forget(workspace: string): Promise<void> {
      for (const key of await state.keys()) if ((await ask(key)) === workspace) await state.delete(key)
    },
  }
}
