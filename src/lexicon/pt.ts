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
  requests: {
    hello: 'olá oi',
    courtesies: `
      (olá|oi|bo(m|a) (dia|tarde|noite)|car(o|a|os|as)|prezad~)[ {whom}], [tenho ]uma [pequena ]*(pergunta|dúvida)[ rápida| {whom}]
      (desculp~|perdão|peço desculpa)[ (se|por|pelo|pela|o|a) {clause}], espero{clause}, [muito ]obrigad(o|a)[ {rest}], [um ]abraço[ {rest}], por favor`,
    openings: `alguém (sabe|pode me dizer), (sabem|sabe|você sabe), (pode|podem|poderia) me dizer, gostaria de saber`,
  },
  models: {
    refusals: '(arquivo[s]|ficheiro[s]|trecho[s]|documento[s]) não (cont|respond|menciona|indica|diz)~',
    refusalStarts: 'o os a as não nos nenhum nenhuma infelizmente',
    sayingNo: 'não, nenhum[a], infelizmente',
  },
  search: { stopWords: 'quais quanto quanta quantos quantas onde porque porquê pode podem deve devem' },
}
