/** How models and servers leave thinking in the text: what begins it, and what ends it. */
export const THINKING = [
  ['<think>', '</think>'],
  ['<THINK>', '</Think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['<reason>', '</reason>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
  ['<|start|>assistant<|channel|>commentary<|message|>', '<|start|>assistant<|channel|>final<|message|>'],
  ['<|channel|>analysis<|message|>', '<|end|>'],
  ['<|channel|>analysis <|constrain|>json<|message|>', '<|end|>'],
  ['<|channel>thought\n', '<channel|>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|think|>', '<|/think|>'],
  ['<think >', '</think >'],
  ['<thinking duration="3">', '</thinking>'],
  ['<REASONING_SCRATCHPAD>', '</REASONING_SCRATCHPAD>'],
  ['<mm:think>', '</mm:think>'],
  ['<details type="reasoning" done="true" duration="3">', '</details>'],
  ['<longcat_think>', '</longcat_think>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['Here is my thought process:', 'Here is my response:'],
  ["Here's my thought process:", "Here's my response:"],
] as const

/** Tokens that a wrong template leaves at the end. */
export const ENDS = [
  ...'<|im_end|> <|eot_id|> <|eom_id|> <|end_of_text|> <|endoftext|> <|return|> <|END_OF_TURN_TOKEN|>'.split(' '),
  ...'<|end_of_turn|> <end_of_turn> <turn|> <｜end▁of▁sentence｜> </s>'.split(' '),
  '\n</answer>',
  '\n</response>',
  '\n[END FINAL RESPONSE]',
]
