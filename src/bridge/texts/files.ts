/** What is said about files: on receipts, in lists, before and after they go. */
export interface FileTexts {
  readonly help: readonly string[]
  /** Behind a state that lasts: `indexing (3 min, 12 of 40 files done)`. */
  readonly elapsed: (minutes: number) => string
  readonly filesDone: (done: number, total: number) => string
  readonly replaces: (version: number, day: string, name: string) => string
  readonly replacedBy: (version: number, day: string, name: string) => string
  readonly duplicateOf: (file: string) => string
  readonly overtaken: string
  readonly putBack: (name: string) => string
  /** On the receipt of an earlier version, once the later one was deleted. */
  readonly cameBack: (version: number, name: string) => string
  readonly undone: (name: string, version: number) => string
  readonly removedBy: (name: string) => string
  /** On a receipt: the file was deleted where it was dropped, and its message stays. */
  readonly deleted: string
  /** On the receipt of a filed answer, after a reply in it was deleted. */
  readonly without: (name: string) => string
  readonly undoFailed: (file: string, why: string) => string
  readonly noText: string
  readonly vanished: string
  readonly button: {
    readonly retry: string
    readonly remove: string
    readonly undo: string
    readonly keepBoth: string
    readonly retryAll: string
    readonly forget: string
    readonly keep: string
    readonly more: string
    readonly back: string
    readonly reindex: string
    readonly rebuild: string
    /** Which file a button is for, where there are several. */
    readonly of: (label: string, file: string) => string
  }
  readonly buttonOver: string
  readonly ownerOnly: (name: string) => string
  readonly adminsOnly: string
  readonly bytesGone: (file: string) => string
  readonly nothingHere: string
  readonly listed: (count: number, page: number, pages: number) => string
  readonly version: (version: number) => string
  readonly noSuchFile: (asked: string, closest: readonly string[]) => string
  readonly severalFiles: (asked: string, names: readonly string[]) => string
  readonly forgetAsk: (file: string, versions: number, name: string) => string
  readonly forgot: (file: string) => string
  readonly kept: (file: string) => string
  readonly forgetFailed: (file: string, why: string) => string
  /** A deletion that the platform did not carry through: told to everybody in the channel. */
  readonly stillFound: (file: string) => string
  readonly nothingFailed: string
  readonly notFailed: (file: string) => string
  readonly permanent: (file: string, why: string) => string
  readonly retrying: (count: number) => string
  readonly download: (file: string) => string
  readonly noUpload: (file: string, link: string | undefined) => string
  readonly downloadFailed: (file: string, why: string) => string
  readonly reindexAsk: (count: number) => string
  readonly reindexing: (done: number, total: number) => string
  readonly reindexed: (ready: number, failed: readonly string[]) => string
  readonly reindexFailed: (why: string) => string
  readonly collectionGone: string
  readonly collectionAnew: string
  readonly rebuildHow: string
  /** On a receipt. */
  readonly lostFile: string
  readonly rebuildOnly: string
  readonly rebuilding: (done: number, total: number) => string
  readonly rebuilt: (ready: number, failed: readonly string[]) => string
  readonly nothingLost: string
  readonly pictures: {
    readonly notSeen: (model: string) => string
    readonly tooMany: (most: number) => string
    readonly tooLarge: (file: string, megabytes: number) => string
    readonly notReadable: (file: string) => string
    readonly notLoaded: (file: string, why: string) => string
  }
}

const list = (names: readonly string[]) => names.map((name) => `**${name}**`).join(', ')

export const filesEn: FileTexts = {
  help: [
    '- `files`: what is here, in which version and state. `forget <file>` removes one, `download <file>` hands it out, `retry` tries again what failed.',
    '- `reindex` and `rebuild`, for who administers: index everything anew, or upload it again after the collection was lost.',
  ],
  elapsed: (minutes) => `${minutes} min`,
  filesDone: (done, total) => `${done} of ${total} files done`,
  replaces: (version, day, name) => `replaces version ${version} of ${day} by ${name}`,
  replacedBy: (version, day, name) => `replaced by version ${version} of ${day} by ${name}`,
  duplicateOf: (file) => `the same file is here as ${file}`,
  overtaken: 'a newer version came in meanwhile',
  putBack: (name) => `put back by ${name}`,
  cameBack: (version, name) => `back in its place: version ${version} by ${name} was taken out`,
  undone: (name, version) => `undone by ${name}; version ${version} takes its place again`,
  removedBy: (name) => `removed by ${name}`,
  deleted: 'removed: the file was deleted here',
  without: (name) => `without the words of ${name}, which were deleted`,
  undoFailed: (file, why) => `**${file}** stays as it is, since it could not be taken out: ${why}`,
  noText:
    'no text was found in this picture. If it shows text, scan it larger or run text recognition over it; to talk about a picture, send it beside a question.',
  vanished:
    'it is not in the collection any more: somebody removed it on the platform. Retry uploads it again.',
  button: {
    retry: 'Retry',
    remove: 'Remove',
    undo: 'Undo',
    keepBoth: 'Keep both',
    retryAll: 'Retry all',
    forget: 'Forget it',
    keep: 'Keep it',
    more: 'Next page',
    back: 'Previous page',
    reindex: 'Reindex',
    rebuild: 'Rebuild',
    of: (label, file) => `${label}: ${file}`,
  },
  buttonOver: 'That has changed meanwhile, so this button does nothing any more.',
  ownerOnly: (name) => `Only ${name}, who dropped it, or somebody who administers this channel can do that.`,
  adminsOnly: 'Only somebody who administers this channel can do that.',
  bytesGone: (file) =>
    `The earlier bytes of **${file}** are not kept any more (the last three versions are, for 30 days). Drop that file again.`,
  nothingHere: 'No file is here yet. Drop one, and I answer from it.',
  listed: (count, page, pages) =>
    `**${count} ${count === 1 ? 'file' : 'files'}**${pages > 1 ? `, page ${page} of ${pages}` : ''}`,
  version: (version) => `version ${version}`,
  noSuchFile: (asked, closest) =>
    closest.length === 0
      ? `There is no file “${asked}” here. \`files\` lists what there is.`
      : `There is no file “${asked}” here. Did you mean ${list(closest)}?`,
  severalFiles: (asked, names) =>
    `“${asked}” fits several files: ${list(names)}. Say the whole name, ending included.`,
  forgetAsk: (file, versions, name) =>
    `Forget **${file}**${versions > 1 ? ` with its ${versions} versions` : ''}, dropped by ${name}? Answers can’t use it from then on, and its bytes are deleted here and on the platform.`,
  forgot: (file) => `**${file}** is forgotten: it is out of the collection.`,
  kept: (file) => `**${file}** stays.`,
  forgetFailed: (file, why) => `**${file}** could not be removed: ${why}`,
  stillFound: (file) =>
    `**${file}** was deleted, but the platform still finds passages of it, even after another index pass. Whoever runs me has to look into it; the log has more.`,
  nothingFailed: 'No file here has failed.',
  notFailed: (file) => `**${file}** has not failed. Drop it again to replace it.`,
  permanent: (file, why) => `Another try of **${file}** would end the same: ${why}`,
  retrying: (count) =>
    `Trying ${count === 1 ? 'it' : `${count} files`} again; the receipt where it was dropped shows how it goes.`,
  download: (file) => `Here is **${file}**.`,
  noUpload: (file, link) =>
    `I can’t hand out files in this chat.${link === undefined ? '' : ` **${file}** was dropped here: ${link}`}`,
  downloadFailed: (file, why) => `**${file}** can’t be handed out: ${why}`,
  reindexAsk: (count) =>
    `Index ${count === 1 ? 'the one file' : `all ${count} files`} of this channel anew? Until that is done, answers may miss some of them.`,
  reindexing: (done, total) => `🔎 Indexing anew: ${done} of ${total} files ready.`,
  reindexed: (ready, failed) =>
    failed.length === 0
      ? `✅ Indexed anew: ${ready} ${ready === 1 ? 'file' : 'files'} ready.`
      : `⚠️ Indexed anew: ${ready} ready; not ready: ${list(failed)}. \`retry\` tries these again.`,
  reindexFailed: (why) => `The files could not be indexed anew: ${why}`,
  collectionGone:
    'The collection of this channel was removed on the platform, and not by me: none of its files can be found any more.',
  collectionAnew:
    'The collection of this channel was removed and made anew on the platform, and not by me: the files that were here can’t be found any more.',
  rebuildHow:
    '*Rebuild* uploads them again from what I have kept. Somebody who administers this channel, or who dropped a file here, can press it or say `rebuild`.',
  lostFile:
    'the collection of this channel was removed on the platform. Build it again (`rebuild`), then press Retry.',
  rebuildOnly: 'Only somebody who administers this channel, or who dropped a file here, can do that.',
  rebuilding: (done, total) => `🔄 Building the collection again: ${done} of ${total} files done.`,
  rebuilt: (ready, failed) =>
    failed.length === 0
      ? `✅ The collection is built again: ${ready} ${ready === 1 ? 'file' : 'files'} ready.`
      : `⚠️ The collection is built again: ${ready} ready; not ready: ${list(failed)}. Drop these again.`,
  nothingLost: 'The collection of this channel is as I left it: there is nothing to rebuild.',
  pictures: {
    notSeen: (model) => `_The model ${model} can’t see pictures, so this answer is from the words alone._`,
    tooMany: (most) => `_I looked at the first ${most} pictures only._`,
    tooLarge: (file, megabytes) =>
      `_I did not look at ${file}: it is larger than ${megabytes} MB. Send it smaller._`,
    notReadable: (file) =>
      `_I could not look at ${file}: it is no PNG, JPEG, GIF or WebP. Save it as one of these._`,
    notLoaded: (file, why) => `_I could not look at ${file}: ${why}_`,
  },
}

export const filesDe: FileTexts = {
  help: [
    '- `dateien`: was hier liegt, in welcher Fassung und welchem Zustand. `vergiss <Datei>` entfernt eine, `herunterladen <Datei>` gibt sie heraus, `wiederhole` versucht erneut, was fehlgeschlagen ist.',
    '- `reindex` und `rebuild`, für alle, die verwalten: alles neu indizieren, oder neu hochladen, wenn die Sammlung verloren ging.',
  ],
  elapsed: (minutes) => `${minutes} min`,
  filesDone: (done, total) => `${done} von ${total} Dateien fertig`,
  replaces: (version, day, name) => `ersetzt Fassung ${version} vom ${day} von ${name}`,
  replacedBy: (version, day, name) => `ersetzt durch Fassung ${version} vom ${day} von ${name}`,
  duplicateOf: (file) => `dieselbe Datei liegt hier als ${file}`,
  overtaken: 'inzwischen kam eine neuere Fassung',
  putBack: (name) => `zurückgeholt von ${name}`,
  cameBack: (version, name) => `wieder an ihrem Platz: Fassung ${version} von ${name} wurde entfernt`,
  undone: (name, version) => `zurückgenommen von ${name}; Fassung ${version} tritt wieder an ihre Stelle`,
  removedBy: (name) => `entfernt von ${name}`,
  deleted: 'entfernt: die Datei wurde hier gelöscht',
  without: (name) => `ohne die Worte von ${name}, die gelöscht wurden`,
  undoFailed: (file, why) => `**${file}** bleibt, wie sie ist, denn sie ließ sich nicht herausnehmen: ${why}`,
  noText:
    'in diesem Bild war kein Text zu finden. Zeigt es Text, scanne es größer oder lass eine Texterkennung darüber laufen; um über ein Bild zu reden, schick es zusammen mit einer Frage.',
  vanished:
    'sie ist nicht mehr in der Sammlung: jemand hat sie auf der Plattform entfernt. „Erneut versuchen“ lädt sie wieder hoch.',
  button: {
    retry: 'Erneut versuchen',
    remove: 'Entfernen',
    undo: 'Rückgängig',
    keepBoth: 'Beide behalten',
    retryAll: 'Alle erneut versuchen',
    forget: 'Vergessen',
    keep: 'Behalten',
    more: 'Nächste Seite',
    back: 'Vorige Seite',
    reindex: 'Neu indizieren',
    rebuild: 'Wieder aufbauen',
    of: (label, file) => `${label}: ${file}`,
  },
  buttonOver: 'Das hat sich inzwischen geändert; dieser Knopf bewirkt nichts mehr.',
  ownerOnly: (name) => `Das können nur ${name}, von wem die Datei stammt, oder wer diesen Kanal verwaltet.`,
  adminsOnly: 'Das kann nur, wer diesen Kanal verwaltet.',
  bytesGone: (file) =>
    `Die frühere Fassung von **${file}** ist nicht mehr aufgehoben (die letzten drei sind es, 30 Tage lang). Leg jene Datei noch einmal ab.`,
  nothingHere: 'Hier liegt noch keine Datei. Leg eine ab, und ich antworte aus ihr.',
  listed: (count, page, pages) =>
    `**${count} ${count === 1 ? 'Datei' : 'Dateien'}**${pages > 1 ? `, Seite ${page} von ${pages}` : ''}`,
  version: (version) => `Fassung ${version}`,
  noSuchFile: (asked, closest) =>
    closest.length === 0
      ? `Eine Datei „${asked}“ liegt hier nicht. \`dateien\` zeigt, was da ist.`
      : `Eine Datei „${asked}“ liegt hier nicht. Meinst du ${list(closest)}?`,
  severalFiles: (asked, names) =>
    `„${asked}“ passt auf mehrere Dateien: ${list(names)}. Sag den ganzen Namen mit Endung.`,
  forgetAsk: (file, versions, name) =>
    `Soll ich **${file}**${versions > 1 ? ` mit ihren ${versions} Fassungen` : ''}, abgelegt von ${name}, vergessen? Antworten können sie dann nicht mehr nutzen, und ihre Bytes werden hier und auf der Plattform gelöscht.`,
  forgot: (file) => `**${file}** ist vergessen: sie ist nicht mehr in der Sammlung.`,
  kept: (file) => `**${file}** bleibt.`,
  forgetFailed: (file, why) => `**${file}** ließ sich nicht entfernen: ${why}`,
  stillFound: (file) =>
    `**${file}** wurde gelöscht, aber die Plattform findet immer noch Stellen daraus, auch nach neuem Indizieren. Wer mich betreibt, muss sich das ansehen; im Protokoll steht mehr.`,
  nothingFailed: 'Hier ist keine Datei fehlgeschlagen.',
  notFailed: (file) => `**${file}** ist nicht fehlgeschlagen. Leg sie noch einmal ab, um sie zu ersetzen.`,
  permanent: (file, why) => `Mit **${file}** ginge es noch einmal ebenso aus: ${why}`,
  retrying: (count) =>
    `Ich versuche ${count === 1 ? 'es' : `es mit ${count} Dateien`} noch einmal; die Quittung dort, wo abgelegt wurde, zeigt den Stand.`,
  download: (file) => `Hier ist **${file}**.`,
  noUpload: (file, link) =>
    `In diesem Chat kann ich keine Dateien herausgeben.${link === undefined ? '' : ` **${file}** wurde hier abgelegt: ${link}`}`,
  downloadFailed: (file, why) => `**${file}** kann ich nicht herausgeben: ${why}`,
  reindexAsk: (count) =>
    `Soll ich ${count === 1 ? 'die eine Datei' : `alle ${count} Dateien`} dieses Kanals neu indizieren? Bis das getan ist, fehlen Antworten womöglich einige davon.`,
  reindexing: (done, total) => `🔎 Wird neu indiziert: ${done} von ${total} Dateien bereit.`,
  reindexed: (ready, failed) =>
    failed.length === 0
      ? `✅ Neu indiziert: ${ready} ${ready === 1 ? 'Datei' : 'Dateien'} bereit.`
      : `⚠️ Neu indiziert: ${ready} bereit; nicht bereit: ${list(failed)}. \`wiederhole\` versucht es damit noch einmal.`,
  reindexFailed: (why) => `Neu indizieren ging nicht: ${why}`,
  collectionGone:
    'Die Sammlung dieses Kanals wurde auf der Plattform entfernt, und nicht von mir: keine ihrer Dateien ist noch zu finden.',
  collectionAnew:
    'Die Sammlung dieses Kanals wurde auf der Plattform entfernt und neu angelegt, und nicht von mir: die Dateien, die hier lagen, sind nicht mehr zu finden.',
  rebuildHow:
    '*Wieder aufbauen* lädt sie aus dem, was ich aufgehoben habe, noch einmal hoch. Drücken (oder `rebuild` sagen) kann, wer diesen Kanal verwaltet oder hier eine Datei abgelegt hat.',
  lostFile:
    'die Sammlung dieses Kanals wurde auf der Plattform entfernt. Bau sie wieder auf (`rebuild`), dann versuch es erneut.',
  rebuildOnly: 'Das kann nur, wer diesen Kanal verwaltet oder hier eine Datei abgelegt hat.',
  rebuilding: (done, total) => `🔄 Die Sammlung wird wieder aufgebaut: ${done} von ${total} Dateien fertig.`,
  rebuilt: (ready, failed) =>
    failed.length === 0
      ? `✅ Die Sammlung ist wieder aufgebaut: ${ready} ${ready === 1 ? 'Datei' : 'Dateien'} bereit.`
      : `⚠️ Die Sammlung ist wieder aufgebaut: ${ready} bereit; nicht bereit: ${list(failed)}. Leg diese noch einmal ab.`,
  nothingLost: 'Die Sammlung dieses Kanals ist, wie ich sie verlassen habe: es gibt nichts aufzubauen.',
  pictures: {
    notSeen: (model) =>
      `_Das Modell ${model} kann keine Bilder sehen; diese Antwort beruht auf den Worten allein._`,
    tooMany: (most) => `_Ich habe nur die ersten ${most} Bilder angesehen._`,
    tooLarge: (file, megabytes) =>
      `_${file} habe ich nicht angesehen: es ist größer als ${megabytes} MB. Schick es kleiner._`,
    notReadable: (file) =>
      `_${file} konnte ich nicht ansehen: es ist kein PNG, JPEG, GIF oder WebP. Speichere es als eines davon._`,
    notLoaded: (file, why) => `_${file} konnte ich nicht ansehen: ${why}_`,
  },
}
