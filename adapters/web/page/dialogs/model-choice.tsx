import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ModelChoice, WebChannel } from '#adapters/web/protocol.ts'
import { api, sentenceOf } from '../chat/api.ts'
import { Choice } from '../parts/choice.tsx'
import { texts } from '../texts.ts'

/** The language model of all chats, or of the open channel; nothing where there is one model only. */
export function ModelChoiceField({ channel }: { channel: WebChannel }): VNode | null {
  const [choice, setChoice] = useState<ModelChoice>()
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const carryOut = async (work: Promise<ModelChoice>) => {
    setBusy(true)
    setProblem('')
    try {
      setChoice(await work)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setBusy(false)
  }
  useEffect(() => {
    setChoice(undefined)
    void carryOut(api.model(channel.id))
  }, [channel.id])
  const told =
    problem === '' ? null : (
      <p class="problem" role="alert">
        {problem}
      </p>
    )
  if (choice === undefined || choice.models.length < 2) return told
  const { models, usual, chosen = '' } = choice
  return (
    <div class="settings-part">
      {told}
      {/* A new one after a fault: it shows the model that holds, not the one that was refused. */}
      <Choice
        key={problem}
        label={channel.direct ? texts.modelOfChats : texts.modelOf(channel.name)}
        value={chosen}
        options={[['', texts.usualModel(usual)], ...models.map((name) => [name, name] as const)]}
        disabled={busy}
        onChoose={(model) => void carryOut(api.chooseModel(channel.id, model))}
      />
      <p class="quiet-word">{channel.direct ? texts.modelOfOneChat : texts.modelOfOneThread}</p>
    </div>
  )
}
