import { ACTION } from '../delivery/button-ids.ts'
import { showCards, showDetails } from '../features/answers/cards.ts'
import { showOverview } from '../features/overview.ts'
import { closeChannel } from './close-channel.ts'
import { onDelete } from './deletions.ts'
import { answerAgain, finishDrop, handleTwin, removeAnswer, removeEarlyHelp } from './edit-steps.ts'
import { forgetWorkspace } from './forget-workspace.ts'
import {
  hasFiles,
  isBareMention,
  isCommand,
  isMisplaced,
  isOverheard,
  isPaste,
  isProgramsQuestion,
  isQuestion,
  isRecording,
  isRecordingAmongPeople,
  isReply,
  isWithheld,
} from './heard.ts'
import {
  answerOverheard,
  answerPaste,
  answerQuestion,
  keepReply,
  mayAskUnaddressed,
  offerToAnswer,
  runCommand,
  sayThreadsOnly,
  sayWithheld,
  showHelp,
  takeFiles,
  unlessLoop,
  unlessMissed,
} from './message-steps.ts'
import { answerOffered, callCommand, knowsButton, press } from './press-steps.ts'
import { type Kind, may, type Step, type Subject } from './task.ts'

/** A row of the table. The first one of an event's kind whose condition holds is done: step by step, until one ends it. */
interface Row<Of extends Kind> {
  readonly kind: Of
  readonly when: (event: Subject<Of>) => boolean
  readonly steps: readonly Step<Of>[]
}

const on = <Of extends Kind>(kind: Of, when: Row<Of>['when'], ...steps: readonly Step<Of>[]): Row<Of> => ({
  kind,
  when,
  steps,
})

const always = () => true

/** All that is handled. A message for which no row holds is talk among people: nothing of it is stored. */
const HANDLED = [
  // Messages.
  on('message', isWithheld, may('command'), unlessMissed, sayWithheld),
  on('message', isProgramsQuestion, may('ask'), takeFiles, unlessLoop, answerQuestion),
  on('message', isReply, may('ask'), keepReply, takeFiles),
  on('message', isCommand, may('command'), takeFiles, unlessMissed, runCommand),
  on('message', isRecordingAmongPeople, takeFiles, offerToAnswer),
  on('message', isRecording, may('ask'), takeFiles, unlessMissed, answerQuestion),
  on('message', isMisplaced, takeFiles, sayThreadsOnly),
  on('message', isQuestion, may('ask'), takeFiles, unlessMissed, answerQuestion),
  on('message', isOverheard, mayAskUnaddressed, takeFiles, answerOverheard),
  on('message', isPaste, may('ask'), takeFiles, unlessMissed, answerPaste),
  on('message', hasFiles, takeFiles),
  on('message', isBareMention, may('command'), unlessMissed, showHelp),

  // Changes and deletions of messages and files.
  on('edit', ({ completes }) => completes === true, removeEarlyHelp, handleTwin),
  on('edit', ({ message }) => message.text.trim() !== '', finishDrop, answerAgain),
  on('edit', always, finishDrop, removeAnswer),
  on('delete', always, ({ services, ctx, event }) => onDelete(services, ctx, event)),
  on('files-left', always, ({ services, ctx, event }) => services.files.onFilesDeleted(ctx, event)),
  on('file-gone', always, ({ services, ctx, event }) => services.files.onFilesDeleted(ctx, event)),

  // Buttons, commands, views and marks. The button that opens a frozen channel asks for an administrator itself.
  on('action', ({ action }) => action.id === ACTION.openKnowledge, press),
  on('action', ({ action }) => action.id === ACTION.answerVoice, may('press'), answerOffered),
  on('action', always, knowsButton, may('press'), press),
  on('command', ({ command }) => command.name === 'save' || command.name === 'add', may('drop'), callCommand),
  on('command', ({ command }) => command.target !== undefined, may('shortcut'), callCommand),
  on('command', always, may('command'), callCommand),
  on('overview', always, ({ services, ctx, event }) => showOverview(services, ctx, event.beside)),
  on('links', always, ({ services, ctx, event }) => showCards(services, ctx, event)),
  on('details', always, ({ services, ctx, event }) => showDetails(services, ctx, event)),
  on('pin', always, may('drop'), ({ services, ctx, event: { conversation, messageId: id } }) =>
    services.files.saveMessage(ctx, { conversation, id }),
  ),

  // Ends of channels and workspaces.
  on('channel-gone', always, (task) => closeChannel(task.services, task, task.event)),
  on('workspace-gone', always, (task) => forgetWorkspace(task.services, task, task.event)),

  // Done when the event arrived.
  on('stop', always),
  on('channel-changed', always),
]

/** The row of an event; undefined: nothing is done about it. */
export function rowFor<Of extends (typeof HANDLED)[number]['kind']>(kind: Of, event: Subject<Of>): Row<Of> | undefined {
  const rows = HANDLED.filter((row) => row.kind === kind) as unknown as readonly Row<Of>[]
  return rows.find(({ when }) => when(event))
}
