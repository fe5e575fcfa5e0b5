import type { Lexicon } from './lexicon.ts'

export const nl: Lexicon = {
  code: 'nl',
  tells: { long: 'het een van en niet dat zijn voor met op ook wordt aan naar uit bij maar deze dan nog' },
  models: {
    refusals: '(bestanden|passages|documenten){near}(niet|geen)',
    refusalStarts: 'de het er geen niets helaas ik deze dit',
    sayingNo: 'niet, niets, geen, helaas',
  },
  search: { stopWords: 'welk welke waar wanneer waarom hoeveel waarmee waarvan kunt mag moeten' },
}
