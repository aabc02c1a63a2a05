// Runs before the first paint: the theme that the reader chose in the dashboard, if that is here.
const chosen = localStorage.getItem('upbeat-theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen

const SAID_MS = 2_000

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
})

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
