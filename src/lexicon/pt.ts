import type { Lexicon } from './lexicon.ts'

export const pt: Lexicon = {
  code: 'pt',
  tells: { long: 'os das uma para com não que mais como pelo são foi pela seu também entre até isso muito nos' },
  talk: {
    greetings: 'obrigad(o|a)',
    thankful: 'obrigad',
    farewells: '[muito ]obrigad(o|a), tchau, até (logo|amanhã|breve), boa noite',
    withFarewells: 'perfeito',
    and: 'e',
    pointing: 'ele ela eles isso isto',
    goingOn: 'e, mas',
  },
  models: {
    refusals: '(arquivo[s]|ficheiro[s]|trecho[s]|documento[s]) não (cont|respond|menciona|indica|diz)~',
    refusalStarts: 'o os a as não nos nenhum nenhuma infelizmente',
    sayingNo: 'não, nenhum[a], infelizmente',
  },
  search: { stopWords: 'quais quanto quanta quantos quantas onde porque porquê pode podem deve devem' },
}
