import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { KeyChoices, KeyScope } from '#adapters/web/protocol.ts'
import { api } from '../chat/api.ts'
import { Checks } from '../parts/checks.tsx'
import { SmallForm } from '../parts/small-form.tsx'
import { texts } from '../texts.ts'

const MAX_NAME_CHARS = 60
const NONE: ReadonlySet<string> = new Set()
const NO_CHOICES: KeyChoices = { collections: [], tools: [] }

interface KeyFormProps {
  readonly onMake: (name: string, scope: KeyScope | undefined) => Promise<void>
  readonly onCancel: () => void
}

/** Name of a key; for one that is for agents, its collections and tools. */
export function KeyForm({ onMake, onCancel }: KeyFormProps): VNode {
  const [choices, setChoices] = useState(NO_CHOICES)
  const [isForAgents, setForAgents] = useState(false)
  const [offCollections, setOffCollections] = useState(NONE)
  const [offTools, setOffTools] = useState(NONE)
  const { collections, tools } = choices
  // Without choices, the form makes keys for the API.
  useEffect(() => void api.keyChoices().then(setChoices, () => undefined), [])
  const scope = {
    tools: tools.filter((one) => !offTools.has(one)),
    ...(offCollections.size > 0 && { collections: collections.filter((one) => !offCollections.has(one)) }),
  }
  return (
    <SmallForm
      label={texts.apiKeyName}
      submit={texts.makeKey}
      maxLength={MAX_NAME_CHARS}
      onSubmit={(name) => onMake(name, isForAgents ? scope : undefined)}
      onCancel={onCancel}
    >
      {tools.length > 0 && (
        <label class="token-tools">
          <input
            type="checkbox"
            checked={isForAgents}
            onChange={({ currentTarget }) => setForAgents(currentTarget.checked)}
          />
          {texts.keyForAgents}
        </label>
      )}
      {isForAgents && collections.length > 0 && (
        <Checks legend={texts.keyCollections} options={collections} off={offCollections} onChange={setOffCollections} />
      )}
      {isForAgents && <Checks legend={texts.keyTools} options={tools} off={offTools} onChange={setOffTools} />}
    </SmallForm>
  )
}
