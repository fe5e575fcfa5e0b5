/** The pieces of one streamed answer, by `fetch` alone: all that the smallest bot needs of a model. */
export async function* askModel(baseUrl: string, question: string): AsyncGenerator<string, void, undefined> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: question }] }),
  })
  let rest = ''
  for await (const text of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue
      const event = JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] }
      const piece = event.choices[0]?.delta.content ?? ''
      if (piece !== '') yield piece
    }
  }
}
