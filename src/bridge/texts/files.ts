const list = (names: readonly string[]) => names.map((name) => `**${name}**`).join(', ')
const filesEnOf = (count: number) => (count === 1 ? '1 file' : `${count} files`)
const filesDeOf = (count: number) => (count === 1 ? '1 Datei' : `${count} Dateien`)

/** Sentences about files: on receipts, in lists, before and after they go. */
export const filesEn = {
  help: [
    '- `files` lists the files here, each with its version and state. `forget <file>` removes one, `download <file>` sends it to you, `retry` tries failed ones again.',
    '- For administrators: `reindex` indexes all files again. `rebuild` uploads them again after the collection was lost.',
  ],
  /** After a state that lasts: `indexing (3 min, 12 of 40 files done)`. */
  elapsed: (minutes: number): string => `${minutes} min`,
  /** A kind that is not read, but can be saved as another. */
  saveAs: (kind: string): string => `I can’t read this kind of file: save it as ${kind} and drop that.`,
  /** A file that only names a document elsewhere. */
  exportAs: (kind: string): string =>
    `this file is only a link to a document: export the document as ${kind} and drop that.`,
  /** An archive. */
  unpack: 'I don’t open archives: unpack it and drop the files that are in it.',
  /** Text recognition of scanned pages is slow. */
  readingPage: (page: number, pages: number): string => `reading page ${page} of ${pages}`,
  filesDone: (done: number, total: number): string => `${done} of ${filesEnOf(total)} done`,
  replaces: (version: number, day: string, name: string): string => `replaces version ${version} of ${day} by ${name}`,
  replacedBy: (version: number, day: string, name: string): string =>
    `replaced by version ${version} of ${day} by ${name}`,
  duplicateOf: (file: string): string => `the same file is here as ${file}`,
  overtaken: 'a newer version came in meanwhile',
  putBack: (name: string): string => `put back by ${name}`,
  /** On the receipt of an earlier version, once the later one was deleted. */
  cameBack: (version: number, name: string): string => `current again: version ${version} by ${name} was removed`,
  undone: (name: string, version: number): string => `undone by ${name}; version ${version} is current again`,
  removedBy: (name: string): string => `removed by ${name}`,
  /** On a receipt: the file was deleted where it was dropped, and its message stays. */
  deleted: 'removed: the file was deleted here',
  /** The same: the file was taken out of the channel, and may be in others. */
  unshared: 'removed: the file was taken out of this channel',
  /** On the receipt of a filed answer, after a reply in it was deleted. */
  without: (name: string): string => `without the words of ${name}, which were deleted`,
  undoFailed: (file: string, why: string): string => `**${file}** could not be removed, so it stays: ${why}`,
  noText:
    'no text was found in this picture. If it shows text, send it larger, upright and sharp; to talk about a picture, send it with a question.',
  vanished: 'somebody removed it on the platform. Retry uploads it again.',
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
    /** Which file a button is for, where there are several. */
    of: (label: string, file: string): string => `${label}: ${file}`,
  },
  buttonOver: 'That has changed meanwhile, so this button does nothing any more.',
  ownerOnly: (name: string): string =>
    `Only ${name}, who dropped it, or somebody who administers this channel can do that.`,
  adminsOnly: 'Only somebody who administers this channel can do that.',
  bytesGone: (file: string): string =>
    `I no longer have the earlier version of **${file}**: I keep the last three, for 30 days. Drop that file again.`,
  /** After the name of the file. */
  notKept: 'I no longer have it. Drop it again.',
  nothingHere: 'No file is here yet. Drop one, and I answer from it.',
  listed: (count: number, page: number, pages: number): string =>
    `**${filesEnOf(count)}**${pages > 1 ? `, page ${page} of ${pages}` : ''}`,
  version: (version: number): string => `version ${version}`,
  noSuchFile: (asked: string, closest: readonly string[]): string =>
    closest.length === 0
      ? `There is no file “${asked}” here. \`files\` lists what there is.`
      : `There is no file “${asked}” here. Did you mean ${list(closest)}?`,
  severalFiles: (asked: string, names: readonly string[]): string =>
    `“${asked}” fits several files: ${list(names)}. Say the whole name, ending included.`,
  forgetAsk: (file: string, versions: number, name: string): string =>
    `Forget **${file}**${versions > 1 ? ` with its ${versions} versions` : ''}, dropped by ${name}? Answers can’t use it from then on, and its bytes are deleted here and on the platform.`,
  forgot: (file: string): string => `**${file}** is forgotten: it is out of the collection.`,
  kept: (file: string): string => `**${file}** stays.`,
  forgetFailed: (file: string, why: string): string => `**${file}** could not be removed: ${why}`,
  /** A deletion that the platform did not carry through: told to everybody in the channel. */
  stillFound: (file: string): string =>
    `**${file}** was deleted, but the platform still finds passages of it, even after it indexed the files again. Please tell whoever runs me; the log says more.`,
  nothingFailed: 'No file here has failed.',
  notFailed: (file: string): string => `**${file}** has not failed. Drop it again to replace it.`,
  permanent: (file: string, why: string): string => `**${file}** would fail again: ${why}`,
  retrying: (count: number): string =>
    `I am trying ${count === 1 ? 'it' : `${count} files`} again. ${count === 1 ? 'Its receipt shows' : 'Their receipts show'} the progress.`,
  download: (file: string): string => `Here is **${file}**.`,
  noUpload: (file: string, link: string | undefined): string =>
    `I can’t send files in this chat.${link === undefined ? '' : ` **${file}** was dropped here: ${link}`}`,
  downloadFailed: (file: string, why: string): string => `**${file}** can’t be sent: ${why}`,
  reindexAsk: (count: number): string =>
    `Index ${count === 1 ? 'the one file' : `all ${count} files`} of this channel again? Until that is done, answers may miss what some of them say.`,
  reindexing: (done: number, total: number): string => `🔎 Indexing again: ${done} of ${filesEnOf(total)} ready.`,
  reindexed: (ready: number, failed: readonly string[]): string =>
    failed.length === 0
      ? `✅ Indexed again: ${filesEnOf(ready)} ready.`
      : `⚠️ Indexed again: ${ready} ready; not ready: ${list(failed)}. \`retry\` tries these again.`,
  reindexFailed: (why: string): string => `The files could not be indexed again: ${why}`,
  collectionGone: 'Somebody removed the collection of this channel on the platform. I can’t find its files any more.',
  collectionAnew:
    'Somebody removed the collection of this channel on the platform and created it anew. I can’t find the files that were here.',
  rebuildHow:
    '*Rebuild* uploads them again: I have kept them. Somebody who administers this channel, or who dropped a file here, can press it or say `rebuild`.',
  /** On a receipt. */
  lostFile: 'somebody removed the collection of this channel on the platform. Say `rebuild`, then press Retry.',
  rebuildOnly: 'Only somebody who administers this channel, or who dropped a file here, can do that.',
  rebuilding: (done: number, total: number): string =>
    `🔄 Building the collection again: ${done} of ${filesEnOf(total)} done.`,
  rebuilt: (ready: number, failed: readonly string[]): string =>
    failed.length === 0
      ? `✅ The collection is built again: ${filesEnOf(ready)} ready.`
      : `⚠️ The collection is built again: ${ready} ready; not ready: ${list(failed)}. Drop these again.`,
  nothingLost: 'Nothing is missing from the collection of this channel: there is nothing to rebuild.',
  pictures: {
    notSeen: (model: string): string =>
      `_The model ${model} can’t see pictures, so this answer is from the words alone._`,
    tooMany: (most: number): string => `_I looked at the first ${most} pictures only._`,
    tooLarge: (file: string, megabytes: number): string =>
      `_I did not look at ${file}: it is larger than ${megabytes} MB. Send it smaller._`,
    notReadable: (file: string): string =>
      `_I could not look at ${file}: it is no PNG, JPEG, GIF or WebP. Save it as one of these._`,
    notLoaded: (file: string, why: string): string => `_I could not look at ${file}: ${why}_`,
  },
}

export const filesDe: typeof filesEn = {
  help: [
    '- `dateien` zeigt die Dateien hier mit Fassung und Zustand. `vergiss <Datei>` entfernt eine, `herunterladen <Datei>` schickt sie dir, `wiederhole` versucht erneut, was fehlgeschlagen ist.',
    '- Für alle, die verwalten: `neu indizieren` indiziert alle Dateien neu. `wieder aufbauen` lädt sie neu hoch, wenn die Sammlung verloren ging.',
  ],
  elapsed: (minutes) => `${minutes} min`,
  saveAs: (kind: string): string =>
    `Dateien dieser Art kann ich nicht lesen: speichere sie als ${kind.replace(' or ', ' oder ')} und leg das ab.`,
  exportAs: (kind: string): string =>
    `diese Datei ist nur ein Verweis auf ein Dokument: exportiere das Dokument als ${kind.replace(' or ', ' oder ')} und leg das ab.`,
  unpack: 'Archive öffne ich nicht: entpacke es und leg die Dateien daraus ab.',
  readingPage: (page: number, pages: number): string => `liest Seite ${page} von ${pages}`,
  filesDone: (done, total) => `${done} von ${filesDeOf(total)} fertig`,
  replaces: (version, day, name) => `ersetzt Fassung ${version} vom ${day} von ${name}`,
  replacedBy: (version, day, name) => `ersetzt durch Fassung ${version} vom ${day} von ${name}`,
  duplicateOf: (file) => `dieselbe Datei liegt hier als ${file}`,
  overtaken: 'inzwischen kam eine neuere Fassung',
  putBack: (name) => `zurückgeholt von ${name}`,
  cameBack: (version, name) => `wieder aktuell: Fassung ${version} von ${name} wurde entfernt`,
  undone: (name, version) => `zurückgenommen von ${name}; Fassung ${version} ist wieder aktuell`,
  removedBy: (name) => `entfernt von ${name}`,
  deleted: 'entfernt: die Datei wurde hier gelöscht',
  unshared: 'entfernt: die Datei wurde aus diesem Kanal genommen',
  without: (name) => `ohne die Worte von ${name}, die gelöscht wurden`,
  undoFailed: (file, why) => `**${file}** ließ sich nicht entfernen und bleibt deshalb: ${why}`,
  noText:
    'in diesem Bild war kein Text zu finden. Zeigt es Text, schick es größer, aufrecht und scharf; um über ein Bild zu reden, schick es zusammen mit einer Frage.',
  vanished: 'jemand hat sie auf der Plattform entfernt. „Erneut versuchen“ lädt sie wieder hoch.',
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
  ownerOnly: (name) => `Das kann nur, wer die Datei abgelegt hat (${name}) oder diesen Kanal verwaltet.`,
  adminsOnly: 'Das kann nur, wer diesen Kanal verwaltet.',
  bytesGone: (file) =>
    `Die frühere Fassung von **${file}** habe ich nicht mehr: Ich hebe die letzten drei auf, 30 Tage lang. Leg sie noch einmal ab.`,
  notKept: 'ich habe sie nicht mehr. Leg sie noch einmal ab.',
  nothingHere: 'Hier liegt noch keine Datei. Leg eine ab, und ich antworte aus ihr.',
  listed: (count, page, pages) => `**${filesDeOf(count)}**${pages > 1 ? `, Seite ${page} von ${pages}` : ''}`,
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
    `**${file}** wurde gelöscht, aber die Plattform findet immer noch Stellen daraus, auch nach neuem Indizieren. Bitte sag es denen, die mich betreiben; im Protokoll steht mehr.`,
  nothingFailed: 'Hier ist keine Datei fehlgeschlagen.',
  notFailed: (file) => `**${file}** ist nicht fehlgeschlagen. Leg sie noch einmal ab, um sie zu ersetzen.`,
  permanent: (file, why) => `**${file}** würde wieder fehlschlagen: ${why}`,
  retrying: (count) =>
    `Ich versuche ${count === 1 ? 'es' : `es mit ${count} Dateien`} noch einmal. ${count === 1 ? 'Die Quittung zeigt' : 'Die Quittungen zeigen'} den Stand.`,
  download: (file) => `Hier ist **${file}**.`,
  noUpload: (file, link) =>
    `In diesem Chat kann ich keine Dateien herausgeben.${link === undefined ? '' : ` **${file}** wurde hier abgelegt: ${link}`}`,
  downloadFailed: (file, why) => `**${file}** kann ich nicht herausgeben: ${why}`,
  reindexAsk: (count) =>
    `Soll ich ${count === 1 ? 'die eine Datei' : `alle ${count} Dateien`} dieses Kanals neu indizieren? Bis das getan ist, fehlt in Antworten womöglich, was in einigen davon steht.`,
  reindexing: (done, total) => `🔎 Wird neu indiziert: ${done} von ${filesDeOf(total)} bereit.`,
  reindexed: (ready, failed) =>
    failed.length === 0
      ? `✅ Neu indiziert: ${filesDeOf(ready)} bereit.`
      : `⚠️ Neu indiziert: ${ready} bereit; nicht bereit: ${list(failed)}. \`wiederhole\` versucht es damit noch einmal.`,
  reindexFailed: (why) => `Neu indizieren ging nicht: ${why}`,
  collectionGone:
    'Jemand hat die Sammlung dieses Kanals auf der Plattform entfernt. Ich finde ihre Dateien nicht mehr.',
  collectionAnew:
    'Jemand hat die Sammlung dieses Kanals auf der Plattform entfernt und neu angelegt. Ich finde die Dateien nicht mehr, die hier lagen.',
  rebuildHow:
    '*Wieder aufbauen* lädt sie noch einmal hoch: Ich habe sie aufgehoben. Drücken (oder `rebuild` sagen) kann, wer diesen Kanal verwaltet oder hier eine Datei abgelegt hat.',
  lostFile: 'jemand hat die Sammlung dieses Kanals auf der Plattform entfernt. Sag `rebuild`, dann versuch es erneut.',
  rebuildOnly: 'Das kann nur, wer diesen Kanal verwaltet oder hier eine Datei abgelegt hat.',
  rebuilding: (done, total) => `🔄 Die Sammlung wird wieder aufgebaut: ${done} von ${filesDeOf(total)} fertig.`,
  rebuilt: (ready, failed) =>
    failed.length === 0
      ? `✅ Die Sammlung ist wieder aufgebaut: ${filesDeOf(ready)} bereit.`
      : `⚠️ Die Sammlung ist wieder aufgebaut: ${ready} bereit; nicht bereit: ${list(failed)}. Leg diese noch einmal ab.`,
  nothingLost: 'Der Sammlung dieses Kanals fehlt nichts: Es gibt nichts aufzubauen.',
  pictures: {
    notSeen: (model) => `_Das Modell ${model} kann keine Bilder sehen; diese Antwort beruht auf den Worten allein._`,
    tooMany: (most) => `_Ich habe nur die ersten ${most} Bilder angesehen._`,
    tooLarge: (file, megabytes) =>
      `_${file} habe ich nicht angesehen: es ist größer als ${megabytes} MB. Schick es kleiner._`,
    notReadable: (file) =>
      `_${file} konnte ich nicht ansehen: es ist kein PNG, JPEG, GIF oder WebP. Speichere es als eines davon._`,
    notLoaded: (file, why) => `_${file} konnte ich nicht ansehen: ${why}_`,
  },
}
