import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WebChannel, WebTokens, WebTokenWish } from '#adapters/web/protocol.ts'
import { api, ApiError } from '../chat/api.ts'
import { formatDay } from '../format.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { texts } from '../texts.ts'
import { TokenForm } from './token-form.tsx'

/** Tokens by which programs read for this person: made, named, shown once, ended. */
export function Programs({ channels }: { channels: readonly WebChannel[] }): VNode | null {
  const { known, problem, made, make, end } = useTokens()
  const [naming, setNaming] = useState(false)
  return (
    <section class="settings-part" aria-labelledby="programs">
      <h3 id="programs">{texts.programs}</h3>
      <p class="quiet-word">{texts.programsWhat}</p>
      {known && (
        <p class="quiet-word">
          {texts.programsAddress} <code>{known.address}</code>
        </p>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {made && (
        <div class="token-made" role="status" data-testid="token">
          <p>{texts.tokenMade(made.name)}</p>
          <code>{made.token}</code>
          <CopyButton text={made.token} />
        </div>
      )}
      <ul class="tokens">
        {known?.tokens.map(({ name, createdAt, usedAt, host, ...scope }) => (
          <li key={name}>
            <span class="token-name">{host === undefined ? name : `${name} (${host})`}</span>
            <span class="quiet-word">
              {texts.tokenFacts(dayOf(createdAt), usedAt === undefined ? undefined : dayOf(usedAt), scope)}
            </span>
            <EndButton name={name} onEnd={end} />
          </li>
        ))}
      </ul>
      {naming ? (
        <TokenForm
          tools={known?.tools ?? []}
          channels={channels}
          onMake={async (wish) => {
            await make(wish)
            setNaming(false)
          }}
          onCancel={() => setNaming(false)}
        />
      ) : (
        <button type="button" class="button small" onClick={() => setNaming(true)}>
          {texts.makeToken}
        </button>
      )}
    </section>
  )
}

const dayOf = (at: number) => formatDay(new Date(at).toISOString())

function EndButton({ name, onEnd }: { name: string; onEnd: (name: string) => Promise<void> }): VNode {
  const [sure, setSure] = useState(false)
  return (
    <button
      type="button"
      class={`button small ${sure ? 'danger' : ''}`}
      aria-label={sure ? texts.endTokenSure(name) : texts.endToken(name)}
      onClick={() => (sure ? void onEnd(name) : setSure(true))}
      onBlur={() => setSure(false)}
    >
      {sure ? texts.endForGood : texts.end}
    </button>
  )
}

function useTokens() {
  const [known, setKnown] = useState<WebTokens>()
  const [problem, setProblem] = useState('')
  const [made, setMade] = useState<{ readonly name: string; readonly token: string }>()
  const carryOut = async (work: Promise<WebTokens>) => {
    setProblem('')
    try {
      setKnown(await work)
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : texts.unreachable)
    }
  }
  useEffect(() => void carryOut(api.tokens()), [])
  return {
    known,
    problem,
    made,
    make: async (wish: WebTokenWish) => {
      const { token } = await api.makeToken(wish)
      setMade({ name: wish.name.trim(), token })
      await carryOut(api.tokens())
    },
    end: async (name: string) => {
      await carryOut(api.endToken(name))
      setMade((shown) => (shown?.name === name ? undefined : shown))
    },
  }
}
