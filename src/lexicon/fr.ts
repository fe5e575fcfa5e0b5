import type { Lexicon } from './lexicon.ts'

export const fr: Lexicon = {
  code: 'fr',
  decimals: 'comma',
  tells: { long: 'le les des une est pour dans que qui sur avec par pas sont aux cette ces mais ou nous' },
  talk: {
    greetings: 'merci, salut, bonjour',
    thankful: 'merci',
    farewells: `merci[ beaucoup| bien| à tous| pour (ton |votre |l')aide]*, au revoir, à (bientôt|demain|plus[ tard]),
      bonne (journée|soirée|nuit)`,
    withFarewells: "parfait, très bien, d'accord, c'est (bon|parfait|tout)",
    and: 'et',
    pointing: 'il elle lui eux leur leurs cela ceci ça celui celle ceux là y en',
    empty: 'et ou mais le la les l un une des du de est sont quand comment pourquoi qui que quoi aussi',
    goingOn: 'et, mais',
  },
  requests: {
    hello: 'bonjour salut bonsoir',
    courtesies: `
      (bonjour|salut|bonsoir|cher|chère|chers)[ {whom}]
      [j'ai |juste ](une|petite)[ petite]* question[ rapide| {whom}]
      (désolé~|pardon|excusez~|excuse~)[ (si|de|pour|du) {clause}| d'{rest}], j'espère{clause}
      [un grand |mille |d'avance ]*merci[ {rest}], [bien ]cordialement, bonne (journée|soirée|nuit|semaine|fin|continuation)[ {rest}], s'il (vous|te) plaît, svp, stp`,
    openings: `(quelqu'un|est-ce que quelqu'un) (sait|peut me dire), savez-vous, (pouvez-vous|peux-tu|pourriez-vous) me dire,
      (je|j') (voudrais|aimerais) savoir`,
  },
  models: {
    refusals: '(fichier[s]|passage[s]|document[s]|extrait[s]){near}ne{near}(pas|aucun~|rien)',
    refusalStarts: `le la les l ce ces cette il je aucun aucune rien malheureusement désolé désolée dans d selon`,
    sayingNo: "ne, n'~, pas, aucun[e], rien, désolé[e], malheureusement",
  },
  documents: { headingStyles: 'Titre', abbreviations: 'Mme Mlle' },
  search: {
    stopWords: `quand où comment pourquoi combien quoi lequel laquelle lesquels lesquelles est-ce fait faire peut peuvent doit
      doivent plus comme aussi si y été`,
    elided: 'c d j l m n s t qu jusqu lorsqu puisqu quoiqu',
  },
}
