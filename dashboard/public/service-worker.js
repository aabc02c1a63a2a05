/*
 * Opens the dashboard without a connection, and shows alerts. The service puts the line `const BUILD = …` before this
 * file: a version that changes with any file of the dashboard, and the files that its first screen needs.
 *
 * Only our own files are kept, which are the same for everybody: no answer of the API ever is. Status pages, the
 * documentation, the set-up and the API are not touched.
 */
const SHELL = '/'
const CACHE = `upbeat ${BUILD.version}`
/** The screens behind the sign-in. Without a connection nobody can sign in. */
const SCREENS = /^\/(?:$|account$|accounts$|new-team$|teams\/)/

addEventListener('install', (event) => {
  // Past the browser's own cache: it may hold the page of the release before.
  const files = BUILD.files.map((path) => new Request(path, { cache: 'no-cache' }))
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(files))
      .then(() => skipWaiting()),
  )
})

addEventListener('activate', (event) => {
  event.waitUntil(forgetOtherVersions().then(() => clients.claim()))
})

async function forgetOtherVersions() {
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name.startsWith('upbeat ') && name !== CACHE).map((name) => caches.delete(name)),
  )
}

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (SCREENS.test(pathname)) event.respondWith(fromService(request, SHELL))
  } else if (pathname.startsWith('/assets/')) event.respondWith(fromCache(request))
  else if (pathname !== SHELL && BUILD.files.includes(pathname)) {
    event.respondWith(fromService(request, pathname))
  }
})

/** The service answers whenever it can, so that a page is never older than it. */
async function fromService(request, path) {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await find(path)
    if (kept) return kept
    throw error
  }
}

/** The name of a file in `assets` has a hash of its content: what is kept is right for ever. */
async function fromCache(request) {
  const kept = await find(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) {
    const cache = await caches.open(CACHE)
    await cache.put(request, answer.clone())
  }
  return answer
}

async function find(request) {
  const cache = await caches.open(CACHE)
  return cache.match(request, { ignoreVary: true })
}

/** An alert: the message that src/alerts/webpush.ts writes. Browsers want each to be shown. */
addEventListener('push', (event) => event.waitUntil(notify(event.data?.json() ?? {})))

async function notify({ title = 'Upbeat', text, at, tag, path, isUrgent, acknowledge, runbook }) {
  const when = at && `${at.label} ${sayWhen(new Date(at.time))}`
  await registration.showNotification(title, {
    body: [when, text].filter(Boolean).join('\n'),
    ...(tag && { tag, renotify: true }),
    ...(at && { timestamp: Date.parse(at.time) }),
    requireInteraction: isUrgent === true,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
    data: { path, acknowledge, runbook },
    actions: [
      ...(acknowledge ? [{ action: 'acknowledge', title: 'Acknowledge' }] : []),
      ...(runbook ? [{ action: 'runbook', title: 'Open runbook' }] : []),
    ],
  })
}

/** In the zone and the words of the reader; with its day unless that is today. */
function sayWhen(time) {
  const isToday = time.toDateString() === new Date().toDateString()
  return time.toLocaleString([], { timeStyle: 'short', ...(!isToday && { dateStyle: 'medium' }) })
}

addEventListener('notificationclick', (event) => {
  const { path = SHELL, ...links } = event.notification.data ?? {}
  const link = links[event.action]
  event.notification.close()
  event.waitUntil(link ? clients.openWindow(link) : show(path))
})

/** A window that shows the place already, else a new one: another may hold a form that is being filled in. */
async function show(path) {
  const { href } = new URL(path, location.origin)
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find(({ url }) => url === href)
  return open ? open.focus() : clients.openWindow(href)
}
