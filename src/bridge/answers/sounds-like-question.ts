/** A question needs no question mark in a chat. */
const ASKS =
  /\?\s*$|^(?:(?:and|or|but|so|und|oder|aber)\s+)?(?:who|what|when|where|why|how|which|whose|can|could|is|are|was|do|does|did|has|have|will|would|should|please|tell|show|explain|list|wer|wen|wem|was|wann|wo|woher|wohin|warum|wieso|weshalb|wie|welche[rsnm]?|kann|können|kannst|ist|sind|war|hat|haben|gibt|soll|bitte|sag|zeig|erklär)(?!\p{L})/iu

/** Whether these words ask something, in English or German, or with a question mark in any language. */
export const soundsLikeQuestion = (text: string): boolean => ASKS.test(text)
