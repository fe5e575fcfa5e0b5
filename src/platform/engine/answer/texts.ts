/** What the engine itself says to people, in the languages it can tell. */
export type AnswerLanguage = 'en' | 'de'

export const TEXTS = {
  en: {
    fromFiles: 'No language model is set, so here is what the files themselves say:',
    notInCollection:
      'That is not in this collection: no passage of its files answers the question. Try the words that the files use.',
    nothingIndexed:
      'This collection holds nothing to search yet: upload a PDF, a text or a markdown file and index it, then ask again.',
    noModel:
      'No language model is configured, so I can only answer from files: drop a PDF, a text or a markdown file here and ask about it.',
    noQuestion: 'There is no question in this request: ask something about the files.',
  },
  de: {
    fromFiles: 'Es ist kein Sprachmodell eingerichtet; das steht in den Dateien selbst:',
    notInCollection:
      'Das steht nicht in dieser Sammlung: Keine Stelle ihrer Dateien beantwortet die Frage. Versuchen Sie es mit den Wörtern der Dateien.',
    nothingIndexed:
      'In dieser Sammlung gibt es noch nichts zu durchsuchen: Laden Sie eine PDF-, Text- oder Markdown-Datei hoch, indexieren Sie sie und fragen Sie noch einmal.',
    noModel:
      'Es ist kein Sprachmodell eingerichtet, deshalb kann ich nur aus Dateien antworten: Legen Sie hier eine PDF-, Text- oder Markdown-Datei ab und fragen Sie danach.',
    noQuestion: 'In dieser Anfrage steht keine Frage: Fragen Sie etwas zu den Dateien.',
  },
} as const

const GERMAN_WORD =
  /(?:^|[^\p{L}])(?:der|das|ist|sind|und|nicht|wie|wann|welche[rsn]?|warum|wieso|wo|wer|ich|du|wir|ein|eine|einen|für|mit|zum|zur|gibt|kann|können|muss|hat|haben|bitte|hallo|danke)(?=$|[^\p{L}])/giu
const ENGLISH_WORD =
  /(?:^|[^\p{L}])(?:the|is|are|and|not|how|when|which|why|where|who|what|i|you|we|a|an|for|with|to|of|can|must|has|have|does|do|please|hello|thanks)(?=$|[^\p{L}])/giu

/** German when its small words outnumber the English ones; else English. */
export function answerLanguage(question: string): AnswerLanguage {
  const german = question.match(GERMAN_WORD)?.length ?? 0
  return german > (question.match(ENGLISH_WORD)?.length ?? 0) ? 'de' : 'en'
}
