// Runs before the first paint: the theme that the reader chose in the dashboard, if that is here.
const chosen = localStorage.getItem('upbeat-theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen

const SAID_MS = 2_000
/** How long typing pauses before the first results are asked for. */
const PAUSE_MS = 120
const MAX_SHOWN = 6

addEventListener('DOMContentLoaded', () => {
  const said = document.createElement('p')
  said.className = 'unseen'
  said.setAttribute('role', 'status')
  document.querySelector('main').append(said)
  for (const figure of document.querySelectorAll('figure.code')) {
    const code = figure.querySelector('pre')
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      const isCopied = await copy(code)
      button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
      said.textContent = button.textContent
      setTimeout(() => {
        button.textContent = 'Copy'
        said.textContent = ''
      }, SAID_MS)
    })
    code.before(button)
  }
  searchWhileTyping(document.querySelector('form[role="search"]'), said)
})

/** Shows the first results below the field while one types. The arrow keys lead into them, Escape closes them. */
function searchWhileTyping(form, said) {
  const field = form.querySelector('input')
  const box = document.createElement('div')
  box.className = 'instant'
  box.hidden = true
  form.append(box)
  let pause
  let asked = ''

  field.addEventListener('input', () => {
    clearTimeout(pause)
    pause = setTimeout(show, PAUSE_MS)
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !box.hidden) {
      event.preventDefault()
      field.focus()
      close()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || box.hidden) return
    event.preventDefault()
    const stops = [field, ...box.querySelectorAll('a')]
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus()
  })
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) close()
  })

  async function show() {
    asked = field.value.trim()
    const query = asked
    if (query === '') return close()
    const url = `${form.action}?q=${encodeURIComponent(query)}`
    const text = await fetch(url).then(
      (response) => (response.ok ? response.text() : null),
      () => null,
    )
    // An older answer may come after a newer one, and the page of results is there for whatever fails here.
    if (text === null || query !== asked || !form.contains(document.activeElement)) return
    const page = new DOMParser().parseFromString(text, 'text/html')
    const items = [...page.querySelectorAll('.found li')].slice(0, MAX_SHOWN)
    const list = document.createElement('ul')
    list.append(...items)
    const outcome = page.querySelector('main p').textContent
    if (items.length > 0) box.replaceChildren(list)
    else box.replaceChildren(outcome)
    box.hidden = false
    said.textContent = outcome
  }

  function close() {
    clearTimeout(pause)
    asked = ''
    box.hidden = true
    box.replaceChildren()
  }
}

// Browsers hide the clipboard from pages over plain http: there the text is selected, and copied in the old way.
async function copy(code) {
  if (navigator.clipboard) {
    const isCopied = await navigator.clipboard.writeText(code.textContent).then(
      () => true,
      () => false,
    )
    if (isCopied) return true
  }
  getSelection().selectAllChildren(code)
  return document.execCommand('copy')
}
