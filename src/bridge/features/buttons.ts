import { closeGap } from './unanswered.ts'
import { dropReply, fileReply } from './escalation/save-reply.ts'
import { askPerson } from './escalation/ask-person.ts'
import { setCollecting } from './collecting.ts'
import { filesPage } from './list-files.ts'
import { forgetNo, forgetYes } from './forget.ts'
import { confirmLink } from './link.ts'
import { pickModel } from './model.ts'
import { rebuildYes } from './rebuild.ts'
import { reindexYes } from './reindex.ts'
import type { Button } from '../delivery/job-context.ts'
import { ACTION } from '../delivery/button-ids.ts'
import { editMemo, keepButton, translateButton } from './voice-messages.ts'
import { speak } from './read-aloud.ts'
import { keepBothVersions, removeFailed, retryAllFiles, retryFile, undoVersion } from './file-buttons.ts'
import { another, longer, shorter } from './rewrite.ts'
import { voteDown, voteUp } from './vote.ts'

const switchOff: Button = {
  id: ACTION.switchOff,
  run: (ports, doing) => setCollecting(ports, doing, false),
}

const BUTTONS: ReadonlyMap<string, Button> = new Map(
  [
    switchOff,
    confirmLink,
    retryFile,
    retryAllFiles,
    removeFailed,
    undoVersion,
    keepBothVersions,
    filesPage,
    forgetYes,
    forgetNo,
    reindexYes,
    rebuildYes,
    voteUp,
    voteDown,
    another,
    shorter,
    longer,
    pickModel,
    editMemo,
    keepButton,
    translateButton,
    speak,
    askPerson,
    fileReply,
    dropReply,
    closeGap,
  ].map((button) => [button.id, button]),
)

/** Undefined: a button of an older version, or none of ours. */
export function buttonOf(id: string): Button | undefined {
  return BUTTONS.get(id)
}
