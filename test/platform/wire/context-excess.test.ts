import { expect, test } from 'vitest'
import { contextExcess } from '#platform/wire/context-excess.ts'

test.each([
  ['prompt is too long: 213462 tokens > 200000 maximum', 200_000],
  ["Input length (265330) exceeds model's maximum context length (262144).", 262_144],
  ['Input length 131393 exceeds the maximum allowed input length of 131040 tokens.', 131_040],
  ["The input (400013 tokens) is longer than the model's context length (262144 tokens).", 262_144],
  ['Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)', 262_144],
  ['prompt token count of 150000 exceeds the limit of 128000', 128_000],
  ['Range of input length should be [1, 30720]', 30_720],
  ['The number of tokens to keep is greater than the context length (n_keep: 5000>= n_ctx: 4096).', 4096],
  ['the model is loaded with context length of only 4096 tokens, which is not enough.', 4096],
  ['Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens', 4096],
  ['Input validation error: `inputs` must have less than 2048 tokens. Given: 5000', 2048],
  ['too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.', 4081],
  ["This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.", 8192],
  ['requested tokens (6000) exceed context window of 4096', 4096],
  ['Prompt \u8d85\u957f', undefined],
  ['The request exceeds the available context size, try increasing it', undefined],
  ["Invalid 'messages[1].content': string too long. Expected a string with maximum length 1048576", undefined],
  ['input characters limit is 6000, but input is 9000', undefined],
])('%j: the model reads fewer tokens', (message, window) => {
  expect(contextExcess({ message })).toEqual(window === undefined ? {} : { window })
})

test.each([
  'ThrottlingException: Too many tokens, please wait before trying again.',
  'Daily token limit reached for your plan',
  'Rate limit reached for model: Limit 6000 tokens per minute (TPM)',
  'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
  'Input validation error: `max_new_tokens` must be <= 512. Given: 2000',
  'Input validation error: `max_new_tokens` must be strictly positive',
  'The number of images in the messages exceeds the limit',
  'The number of messages exceeds the limit',
])('%j says nothing of the prompt', (message) => {
  expect(contextExcess({ message })).toBeUndefined()
})

test.each([
  ['tools[0].function.description', undefined],
  ['user', undefined],
  ['metadata.team', undefined],
  ['messages[1].content', {}],
  ['input', {}],
])('a string of %s that is too long: %j', (param, excess) => {
  const message = `Invalid '${param}': string too long. Expected a string with maximum length 512`
  expect(contextExcess({ message, code: 'string_above_max_length', param })).toEqual(excess)
  expect(contextExcess({ message })).toEqual(excess)
})
