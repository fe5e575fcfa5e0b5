import type { Lexicon } from './lexicon.ts'

export const nl: Lexicon = {
  code: 'nl',
  tells: { long: 'het een van en niet dat zijn voor met op ook wordt aan naar uit bij maar deze dan nog' },
  requests: {
    hello: 'hallo hoi hey',
    courtesies: `
      (hallo|hoi|hey|dag|goede(morgen|middag|navond)|beste)[ {whom}], [ik heb ][een ][korte |snelle ]*vraag~[ {whom}]
      (sorry|excuses|pardon)[ (als|voor|dat|om) {clause}], ik hoop{clause}, [alvast |heel erg |hartelijk ]*(bedankt|dank|dankjewel)[ {rest}],
      [met vriendelijke ]groet~[ {rest}], alsjeblieft, alstublieft`,
    openings: `weet iemand, (kan|kunt|kun)[ iemand| u| je]* (mij|me) (zeggen|vertellen), ik (wil|wou)[ graag]* weten`,
  },
  models: {
    refusals: '(bestanden|passages|documenten){near}(niet|geen)',
    refusalStarts: 'de het er geen niets helaas ik deze dit',
    sayingNo: 'niet, niets, geen, helaas',
  },
  search: { stopWords: 'welk welke waar wanneer waarom hoeveel waarmee waarvan kunt mag moeten' },
}
