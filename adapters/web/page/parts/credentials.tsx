import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { sentenceOf } from '../chat/api.ts'
import { CopyButton } from './copy-button.tsx'

interface CredentialsProps<Listed> {
  /** Id of the heading. */
  readonly id: string
  readonly heading: string
  readonly explanation: string
  readonly address?: { readonly label: string; readonly value: string } | undefined
  readonly problem: string
  readonly made?: { readonly sentence: string; readonly secret: string } | undefined
  readonly items: readonly Listed[]
  readonly toRow: (item: Listed) => CredentialRow
  readonly makeLabel: string
  /** The form for a new one, while it is open. */
  readonly renderForm: (close: () => void) => VNode
}

interface CredentialRow {
  readonly key: string | number
  readonly name: string
  readonly facts: string
  /** Press, second press, and what a screen reader says of each. */
  readonly end: { readonly label: string; readonly sure: string; readonly says: string; readonly saysSure: string }
  readonly onEnd: () => Promise<void>
}

/** Keys or tokens: made, named, shown once, revoked. */
export function Credentials<Listed>(props: CredentialsProps<Listed>): VNode {
  const { id, heading, explanation, address, problem, made, items, toRow, makeLabel, renderForm } = props
  const [isNaming, setNaming] = useState(false)
  return (
    <section class="settings-part" aria-labelledby={id}>
      <h3 id={id}>{heading}</h3>
      <p class="quiet-word">{explanation}</p>
      {address && (
        <p class="quiet-word">
          {address.label} <code>{address.value}</code>
        </p>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {made && (
        <div class="token-made" role="status" data-testid={`${id}-made`}>
          <p>{made.sentence}</p>
          <code>{made.secret}</code>
          <CopyButton text={made.secret} />
        </div>
      )}
      <ul class="tokens">
        {items.map(toRow).map((row) => (
          <li key={row.key}>
            <span class="token-name">{row.name}</span>
            <span class="quiet-word">{row.facts}</span>
            <EndButton {...row} />
          </li>
        ))}
      </ul>
      {isNaming ? (
        renderForm(() => setNaming(false))
      ) : (
        <button type="button" class="button small" onClick={() => setNaming(true)}>
          {makeLabel}
        </button>
      )}
    </section>
  )
}

function EndButton({ end, onEnd }: CredentialRow): VNode {
  const [isSure, setSure] = useState(false)
  return (
    <button
      type="button"
      class={`button small ${isSure ? 'danger' : ''}`}
      aria-label={isSure ? end.saysSure : end.says}
      onClick={() => (isSure ? void onEnd() : setSure(true))}
      onBlur={() => setSure(false)}
    >
      {isSure ? end.sure : end.label}
    </button>
  )
}

/** Known credentials, the one just made, and the last failure. */
export function useCredentials<Known>(load: () => Promise<Known>) {
  const [known, setKnown] = useState<Known>()
  const [problem, setProblem] = useState('')
  const [made, setMade] = useState<{ readonly name: string; readonly secret: string }>()
  /** @returns whether it was carried out */
  const carryOut = async (work: Promise<Known>): Promise<boolean> => {
    setProblem('')
    try {
      setKnown(await work)
      return true
    } catch (error) {
      setProblem(sentenceOf(error))
      return false
    }
  }
  useEffect(() => void carryOut(load()), [])
  return {
    known,
    problem,
    made,
    make: async (name: string, secret: Promise<string>) => {
      setMade({ name: name.trim(), secret: await secret })
      await carryOut(load())
    },
    end: async (name: string, work: Promise<Known>) => {
      if (await carryOut(work)) setMade((shown) => (shown?.name === name ? undefined : shown))
    },
  }
}
