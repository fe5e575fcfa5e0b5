// The page at /docs: every operation of the document as a form that sends it. Text is only ever set as text.

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

/** Code and strong words of a description, which is markdown. */
const inline = (text) =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (/^`.+`$/.test(part)) return make('code', { textContent: part.slice(1, -1) })
    return /^\*\*.+\*\*$/.test(part) ? make('strong', { textContent: part.slice(2, -2) }) : part
  })

/** Paragraphs and lists of points. */
const prose = (text) =>
  text.split('\n\n').map((block) => {
    if (!block.startsWith('- ')) return make('p', {}, ...inline(block))
    return make(
      'ul',
      {},
      ...block
        .split(/\n?^- /m)
        .slice(1)
        .map((point) => make('li', {}, ...inline(point))),
    )
  })

let nextId = 0
const field = (form, text, input) => {
  input.id = `field-${(nextId += 1)}`
  form.append(make('label', { htmlFor: input.id, textContent: text }), input)
  return input
}

const resolve = (description, schema) =>
  schema?.$ref === undefined ? schema : description.components.schemas[schema.$ref.split('/').at(-1)]

const examples = {
  ChatRequest: {
    model: 'extractive',
    messages: [{ role: 'user', content: 'When does the ferry leave?' }],
    stream: true,
    collection: { id: 'local/notes' },
    'enable-tools': true,
  },
  CreateCollectionRequest: { name: 'notes' },
  SharingRequest: { visibility: 'private', users: [] },
  EmbeddingsRequest: { model: 'double', input: 'harbour' },
}

function addParameter(form, parameter) {
  const input = make('input', { required: parameter.required === true })
  const value = parameter.schema?.default
  if (value !== undefined) input.placeholder = String(value)
  if (parameter.in === 'header') input.value = (/`([^`]+)`/.exec(parameter.description ?? '') ?? [])[1] ?? ''
  field(form, `${parameter.name} (${parameter.in})`, input)
  return { ...parameter, input }
}

function addBody(form, description, body) {
  if (body === undefined) return () => undefined
  const [[type, { schema }]] = Object.entries(body.content)
  if (type === 'application/json') {
    const example = examples[schema.$ref.split('/').at(-1)] ?? {}
    const text = make('textarea', { rows: 10, value: JSON.stringify(example, null, 2), spellcheck: false })
    field(form, 'body (JSON)', text)
    return () => ({ body: text.value, headers: { 'content-type': type } })
  }
  const inputs = Object.entries(resolve(description, schema).properties).map(([name, property]) => {
    const isFile = property.format === 'binary'
    return [name, field(form, name, make('input', { type: isFile ? 'file' : 'text', required: isFile }))]
  })
  return () => {
    const data = new FormData()
    for (const [name, input] of inputs) {
      if (input.type === 'file') data.append(name, input.files[0])
      else if (input.value !== '') data.append(name, input.value)
    }
    return { body: data, headers: {} }
  }
}

const isText = (response) => /^text\/|json/.test(response.headers.get('content-type') ?? '')

/** A stream is shown as it comes; a body that is not text can be saved. */
async function show(response, output) {
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  output.textContent = `${response.status} ${response.statusText}\n${headers}\n\n`
  if (response.body === null) return
  if (!isText(response)) {
    const bytes = await response.blob()
    const link = { href: URL.createObjectURL(bytes), download: '', textContent: `Save ${bytes.size} bytes` }
    output.append(make('a', link))
    return
  }
  const decoder = new TextDecoder()
  for await (const piece of response.body) output.append(decoder.decode(piece, { stream: true }))
}

function addOperation(description, path, item, method) {
  const operation = item[method]
  const base = item.servers.at(-1).url.replace(/\/$/, '')
  const form = make('form')
  const parameters = (operation.parameters ?? []).map((one) => addParameter(form, one))
  const readBody = addBody(form, description, operation.requestBody)
  const output = make('pre', { hidden: true })
  form.append(make('button', { textContent: 'Send' }), output)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    let url = `${base}${path}`
    const query = new URLSearchParams()
    const headers = {}
    for (const { name, in: place, input } of parameters) {
      if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(input.value))
      else if (input.value !== '' && place === 'query') query.set(name, input.value)
      else if (input.value !== '') headers[name] = input.value
    }
    const key = document.querySelector('#key').value
    const isRaw = operation.security.every((one) => 'raw' in one)
    if (operation.security.length > 0 && key !== '') headers.authorization = isRaw ? key : `Bearer ${key}`
    const given = readBody()
    output.hidden = false
    output.textContent = '…'
    try {
      const response = await fetch(`${url}${query.size === 0 ? '' : `?${query}`}`, {
        method: method.toUpperCase(),
        headers: { ...headers, ...given?.headers },
        body: given?.body,
      })
      await show(response, output)
    } catch (error) {
      output.textContent = `The request failed: ${error.message}`
    }
  })
  const head = make(
    'summary',
    {},
    make('span', { className: 'method', textContent: method }),
    make('code', { className: 'path', textContent: `${base}${path}` }),
    make('span', { className: 'says' }, ' ', ...inline(operation.summary)),
  )
  const more = make('p', { className: 'more' }, ...inline(operation.description ?? ''))
  return make('details', { id: operation.operationId }, head, more, form)
}

const description = await (await fetch('/openapi.json')).json()
document.querySelector('#version').textContent = description.info.version
document.querySelector('#about').append(...prose(description.info.description))
const rooms = description.tags.map(({ name }) => {
  const section = make('section', {}, make('h2', { textContent: name }))
  for (const [path, item] of Object.entries(description.paths)) {
    for (const method of ['get', 'post', 'put', 'delete']) {
      if (item[method]?.tags.includes(name)) section.append(addOperation(description, path, item, method))
    }
  }
  return section
})
document.querySelector('#operations').replaceChildren(...rooms)
