// Adds to a page that is whole without it: numbers of a day at the pointer or the arrow keys, the reader's times, and what
// has changed since. Everything comes from the page's own address.
const POLL_MS = 30_000
const DAY_MS = 86_400_000

const page = document.documentElement
const own = navigator.languages?.find(isOfPage) ?? page.lang
const day = new Intl.DateTimeFormat(own, { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' })
const time = new Intl.DateTimeFormat(own, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** Systems call languages by names of their own, too, such as en-US@posix. */
function isOfPage(language) {
  return language.split('-')[0] === page.lang && /^[a-z\d-]+$/i.test(language)
}

const said = document.body.appendChild(document.createElement('p'))
said.className = 'unseen'
said.setAttribute('role', 'status')
const warning = document.createElement('p')
warning.className = 'notice'
warning.setAttribute('role', 'alert')
const tip = document.createElement('div')
tip.id = 'tip'

/** Shows times as the reader's clock has them. */
function showOwnTimes() {
  for (const element of document.querySelectorAll('time')) {
    const at = new Date(element.dateTime)
    element.title = at.toISOString()
    element.textContent = time.format(at)
  }
  const zone = document.querySelector('#zone span')
  if (zone) zone.textContent = time.resolvedOptions().timeZone
}

/** Titles become data: the browser would show them beside the tooltip. */
function takeTitles(bars) {
  for (const title of bars.querySelectorAll('title')) {
    title.parentNode.dataset.text = title.textContent
    title.remove()
  }
}

/** The day at a place from the left, 0 to 1, and the run of days that has it. */
function dayAt(bars, share) {
  const width = bars.viewBox.baseVal.width
  const x = Math.min(Math.max(Math.floor((share * width) / 4), 0), width / 4 - 1) * 4
  const run = [...bars.querySelectorAll('[data-text]')].find((path) => {
    const { x: from, width: length } = path.getBBox()
    return x >= from && x < from + length
  })
  return { x, run, ago: width / 4 - 1 - x / 4 }
}

function showDay(bars, share) {
  takeTitles(bars)
  const { x, run, ago } = dayAt(bars, share)
  if (!run) return
  const at = new Date(Date.parse(document.body.dataset.day) - ago * DAY_MS)
  tip.textContent = `${day.format(at)}\n${run.dataset.text.split('\n')[1]}`
  document.body.append(tip)
  let mark = bars.querySelector('.chosen')
  if (!mark) {
    mark = bars.appendChild(document.createElementNS(bars.namespaceURI, 'path'))
    mark.setAttribute('class', 'chosen')
  }
  mark.setAttribute('d', `M${x} 16h4`)
  const box = bars.getBoundingClientRect()
  const middle = box.left + ((x + 1.5) / bars.viewBox.baseVal.width) * box.width
  const left = Math.min(Math.max(middle - tip.offsetWidth / 2, 4), page.clientWidth - tip.offsetWidth - 4)
  tip.style.left = `${left + scrollX}px`
  tip.style.top = `${box.top + scrollY - tip.offsetHeight - 6}px`
  bars.dataset.at = x
}

function hideDay() {
  tip.remove()
  for (const mark of document.querySelectorAll('.chosen')) {
    delete mark.parentNode.dataset.at
    mark.remove()
  }
}

const barsAt = (event) => event.target.closest?.('.days .bars')

document.addEventListener('pointermove', (event) => {
  const bars = barsAt(event)
  if (!bars) return event.pointerType === 'mouse' && hideDay()
  const box = bars.getBoundingClientRect()
  showDay(bars, (event.clientX - box.left) / box.width)
})

// A tap names the day; the words below the bars open the list of them.
document.addEventListener('click', (event) => {
  const bars = barsAt(event)
  if (!bars) return hideDay()
  if (event.pointerType === 'mouse') return
  event.preventDefault()
  const box = bars.getBoundingClientRect()
  showDay(bars, (event.clientX - box.left) / box.width)
})

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') hideDay()
  const bars = event.target.closest?.('.days > summary')?.querySelector('.bars')
  const step = { ArrowLeft: -4, ArrowRight: 4 }[event.key]
  if (!bars || !step) return
  event.preventDefault()
  const width = bars.viewBox.baseVal.width
  const next = bars.dataset.at === undefined ? width - 4 : Number(bars.dataset.at) + step
  showDay(bars, (Math.min(Math.max(next, 0), width - 4) + 2) / width)
  said.textContent = tip.textContent
})

document.addEventListener('focusout', hideDay)

/** As the service wrote it. It may have changed before the first question. */
let written = document.querySelector('#live')?.outerHTML
let version = null
let isAsking = false

/** The browser's cache asks with the tag it has; most answers are "not modified". */
async function refresh() {
  if (isAsking) return
  isAsking = true
  try {
    const response = await fetch(location.href, { cache: 'no-cache', credentials: 'same-origin' })
    if (!response.ok) return
    const tag = response.headers.get('etag')
    if (tag === null || tag !== version) {
      const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
      const next = fresh.querySelector('#live')?.outerHTML
      if (next !== written) show(fresh)
      written = next
      version = tag
    }
    warning.remove()
  } catch {
    warning.textContent = document.body.dataset.offline
    document.querySelector('#live').before(warning)
  } finally {
    isAsking = false
  }
}

/** Puts what is new in its place; what is open stays open, and the focus where it is. */
function show(fresh) {
  const [live, next] = [document.querySelector('#live'), fresh.querySelector('#live')]
  if (!live || !next) return location.reload()
  const focused = document.activeElement?.closest('details[id]')?.id
  for (const { id, open } of live.querySelectorAll('details[id]')) {
    const same = next.querySelector(`#${id}`)
    if (same) same.open = open
  }
  hideDay()
  const before = document.title
  live.replaceWith(document.adoptNode(next))
  document.title = fresh.title
  document.querySelector('link[rel=icon]').href = fresh.querySelector('link[rel=icon]').href
  document.body.dataset.day = fresh.body.dataset.day
  if (focused) document.querySelector(`#${focused} > summary`)?.focus()
  showOwnTimes()
  if (before !== document.title) said.textContent = document.title
}

showOwnTimes()
if (document.querySelector('#live')) {
  const look = () => void (document.visibilityState === 'visible' && refresh())
  look()
  setInterval(look, POLL_MS)
  document.addEventListener('visibilitychange', look)
}
