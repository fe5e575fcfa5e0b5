import type { Lexicon } from './lexicon.ts'

export const it: Lexicon = {
  code: 'it',
  tells: { long: 'il gli della che per una con non sono del alla anche come più nel dalla questo essere ha delle' },
  talk: {
    greetings: 'grazie, ciao',
    thankful: 'grazie',
    farewells: `[mille |tante ]grazie[ mille| tante| a tutti]*, arrivederci, a (presto|dopo|domani),
      buona (giornata|serata|notte)`,
    withFarewells: 'perfetto, va bene',
    and: 'e',
    pointing: 'lui lei loro quello questo',
    empty: 'e ma il lo gli che chi quando come dove perché anche',
    goingOn: 'e, ma',
  },
  requests: {
    hello: 'ciao buongiorno salve',
    courtesies: `
      (ciao|buongiorno|buonasera|salve|cari|caro|cara|gentil~)[ {whom}], [ho ]una [piccola ]*domanda[ veloce| rapida| {whom}]
      (scusa~|mi dispiace|perdona~)[ (se|per|di|il|la) {clause}], spero{clause}, [mille |tante |molte ]*grazie[ {rest}], [cordiali ]saluti[ {rest}], per favore`,
    openings: `qualcuno (sa|mi può dire), sapete, (potete|puoi|può) dirmi, vorrei sapere`,
  },
  models: {
    refusals: '(file|passaggi|documenti) non (conten|rispond|menziona|indica|dic)~',
    refusalStarts: 'i gli nessun nessuna non nei nel purtroppo mi',
    sayingNo: 'non, nessun~, purtroppo',
  },
  search: {
    stopWords: `cosa quando quali sono stato stata stati state viene vengono può possono deve devono essere fare dopo prima fra`,
    elided: 'c d l m s t gl un dell all dall nell sull coll quest quell tutt sant dov com cos',
  },
}
