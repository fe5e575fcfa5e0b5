import type { Session } from './session.ts'
import type { OurServer } from './target.ts'

/** A test of the contract: plain HTTP, no test runner, so that it runs wherever a server can be reached. */
export interface Row {
  /** Statements of docs/conformance.md that it shows. */
  readonly ids: readonly string[]
  readonly title: string
  /** True: only our server decides this; it is not asked of another one. */
  readonly onlyOurs: boolean
  run(session: Session): Promise<void>
}

const toIds = (numbers: readonly number[]) => numbers.map((one) => `C-${String(one).padStart(3, '0')}`)

/** A row for every server of this interface. */
export function everywhere(numbers: readonly number[], title: string, run: (session: Session) => Promise<void>): Row {
  return { ids: toIds(numbers), title, onlyOurs: false, run }
}

/**
 * A row on decisions that the interface leaves to our server, or one that needs the model server scripted, time moved
 * and further keys made.
 */
export function onlyOurs(
  numbers: readonly number[],
  title: string,
  run: (session: Session, server: OurServer) => Promise<void>,
): Row {
  return {
    ids: toIds(numbers),
    title,
    onlyOurs: true,
    run(session) {
      const { ours } = session.target
      if (ours === undefined) throw new Error('this row is asked of our own server only')
      return run(session, ours)
    },
  }
}
