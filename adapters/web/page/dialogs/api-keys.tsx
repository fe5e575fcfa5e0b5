import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ApiKeyInfo } from '#adapters/web/protocol.ts'
import { api, ApiError } from '../chat/api.ts'
import { formatDay } from '../format.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { SmallForm } from '../parts/small-form.tsx'
import { texts } from '../texts.ts'

const MAX_NAME_CHARS = 60
/** The path of the API, on the address of the page. */
const API_PATH = '/v1'

/** Keys for the API of the platform: made, named, shown once, revoked. */
export function ApiKeys(): VNode {
  const { known, problem, made, make, revoke } = useKeys()
  const [naming, setNaming] = useState(false)
  return (
    <section class="settings-part" aria-labelledby="api-keys">
      <h3 id="api-keys">{texts.apiKeys}</h3>
      <p class="quiet-word">{texts.apiKeysWhat}</p>
      <p class="quiet-word">
        {texts.apiAddress} <code>{location.origin + API_PATH}</code>
      </p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {made && (
        <div class="token-made" role="status" data-testid="api-key">
          <p>{texts.keyMade(made.name)}</p>
          <code>{made.key}</code>
          <CopyButton text={made.key} />
        </div>
      )}
      <ul class="tokens">
        {known.map(({ id, name, hint, createdAt, expiresAt }) => (
          <li key={id}>
            <span class="token-name">{name}</span>
            <span class="quiet-word">
              {texts.keyFacts(hint, dayOf(createdAt), expiresAt === undefined ? undefined : dayOf(expiresAt))}
            </span>
            <RevokeButton name={name} onRevoke={() => revoke(id, name)} />
          </li>
        ))}
      </ul>
      {naming ? (
        <SmallForm
          label={texts.apiKeyName}
          submit={texts.makeKey}
          maxLength={MAX_NAME_CHARS}
          onSubmit={async (name) => {
            await make(name)
            setNaming(false)
          }}
          onCancel={() => setNaming(false)}
        />
      ) : (
        <button type="button" class="button small" onClick={() => setNaming(true)}>
          {texts.makeKey}
        </button>
      )}
    </section>
  )
}

const dayOf = (at: number) => formatDay(new Date(at).toISOString())

function RevokeButton({ name, onRevoke }: { name: string; onRevoke: () => Promise<void> }): VNode {
  const [sure, setSure] = useState(false)
  return (
    <button
      type="button"
      class={`button small ${sure ? 'danger' : ''}`}
      aria-label={sure ? texts.revokeKeySure(name) : texts.revokeKey(name)}
      onClick={() => (sure ? void onRevoke() : setSure(true))}
      onBlur={() => setSure(false)}
    >
      {sure ? texts.revokeForGood : texts.revoke}
    </button>
  )
}

function useKeys() {
  const [known, setKnown] = useState<readonly ApiKeyInfo[]>([])
  const [problem, setProblem] = useState('')
  const [made, setMade] = useState<{ readonly name: string; readonly key: string }>()
  const carryOut = async (work: Promise<readonly ApiKeyInfo[]>) => {
    setProblem('')
    try {
      setKnown(await work)
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : texts.unreachable)
    }
  }
  useEffect(() => void carryOut(api.keys()), [])
  return {
    known,
    problem,
    made,
    make: async (name: string) => {
      const { key } = await api.makeKey(name)
      setMade({ name: name.trim(), key })
      await carryOut(api.keys())
    },
    revoke: async (id: number, name: string) => {
      await carryOut(api.revokeKey(id))
      setMade((shown) => (shown?.name === name ? undefined : shown))
    },
  }
}
