// The search of the site: an index that was built with it, asked in the browser.
const input = document.getElementById('search')
const found = document.getElementById('found')
const { root } = document.body.dataset
let index

async function load() {
  const response = await fetch(`${root}search.json`)
  return MiniSearch.loadJSON(await response.text(), { fields: ['title', 'text'], storeFields: ['title'] })
}

input.addEventListener('input', async () => {
  index ??= load()
  const results = (await index).search(input.value, { prefix: true, fuzzy: 0.2, boost: { title: 3 }, combineWith: 'AND' })
  found.replaceChildren(
    ...results.slice(0, 8).map(({ id, title }) => {
      const link = document.createElement('a')
      link.href = `${root}${id}`
      link.textContent = title
      const item = document.createElement('li')
      item.append(link)
      return item
    }),
  )
})
