import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { WebChannel } from '#adapters/web/protocol.ts'
import { sentenceOf } from '../chat/api.ts'
import type { ChatActions } from '../chat/use-chat.ts'
import { texts } from '../texts.ts'
import { Modal } from '../parts/modal.tsx'
import { SmallForm } from '../parts/small-form.tsx'

/** Most characters of a channel's name; the server counts them again. */
export const MAX_NAME_CHARS = 80

interface ChannelDialogProps {
  readonly channel: WebChannel
  readonly actions: ChatActions
  readonly onDone: () => void
}

/** Rename, archive and delete a channel; a chat is not archived. */
export function ChannelDialog({ channel, actions, onDone }: ChannelDialogProps): VNode {
  return (
    <Modal
      title={channel.direct ? texts.changeChat : texts.channelSettings(channel.name)}
      testId="channel-dialog"
      onDone={onDone}
    >
      {(close) => (
        <>
          <SmallForm
            label={channel.direct ? texts.chatTitle : texts.channelName}
            submit={texts.rename}
            value={channel.name}
            maxLength={MAX_NAME_CHARS}
            onSubmit={async (name) => {
              await actions.changeChannel(channel.id, { name })
              close()
            }}
            onCancel={close}
          />
          <Ending channel={channel} actions={actions} onDone={close} />
        </>
      )}
    </Modal>
  )
}

function Ending({ channel, actions, onDone }: ChannelDialogProps): VNode {
  const [sure, setSure] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const carryOut = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
      onDone()
    } catch (error) {
      setProblem(sentenceOf(error))
      setBusy(false)
    }
  }
  const archived = channel.archived !== true
  const [what, whatSure, name] = channel.direct
    ? [texts.deleteChatWhat, texts.deleteChatSure, texts.deleteChat]
    : [texts.deleteChannelWhat, texts.deleteChannelSure, texts.deleteChannel]
  return (
    <div class="channel-ending">
      {!channel.direct && (
        <>
          <p>{texts.collectWhat}</p>
          <p>{texts.archiveWhat}</p>
          <button
            type="button"
            class="button"
            disabled={busy}
            onClick={() => void carryOut(() => actions.changeChannel(channel.id, { archived }))}
          >
            {archived ? texts.archive : texts.restore}
          </button>
        </>
      )}
      <p>{sure ? whatSure : what}</p>
      <button
        type="button"
        class="button danger"
        disabled={busy}
        onClick={() => (sure ? void carryOut(() => actions.deleteChannel(channel.id)) : setSure(true))}
      >
        {sure ? texts.deleteForGood : name}
      </button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
