import { closeGap } from '../commands/gaps.ts'
import { dropReply, fileReply } from '../person/file-reply.ts'
import { askPerson } from '../person/ask-person.ts'
import { setCollecting } from '../commands/collecting.ts'
import { filesPage } from '../commands/files.ts'
import { forgetNo, forgetYes } from '../commands/forget.ts'
import { confirmLink } from '../commands/link.ts'
import { pickModel } from '../commands/model.ts'
import { rebuildYes } from '../commands/rebuild.ts'
import { reindexYes } from '../commands/reindex.ts'
import type { Button } from '../job-ports.ts'
import { ACTION } from './ids.ts'
import { editMemo, keepButton, translateButton } from './memo.ts'
import { speak } from './speak.ts'
import { keepBothVersions, removeFailed, retryAllFiles, retryFile, undoVersion } from './receipts.ts'
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
