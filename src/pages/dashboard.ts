import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Context, Hono } from 'hono'
import { createStaticFile, type StaticFile, sendFile } from './static-file.ts'

/** Paths of the dashboard's screens: one page serves them all, and the browser draws the screen. */
const SCREENS = [
  '/',
  '/sign-in',
  '/sign-up',
  '/forgotten-password',
  '/invitations',
  '/new-team',
  '/signed-in',
  '/account',
  '/accounts',
  '/service-settings',
  '/teams/:team',
  '/teams/:team/*',
]

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

const PAGE = '/index.html'
/** Names in there contain a hash of the content. */
const ASSETS = '/assets/'
const SERVICE_WORKER = '/service-worker.js'

/** Only our own files, nothing inline; images created in the page (a QR code) are data URLs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'same-origin',
}

const ONE_YEAR = 'public, max-age=31536000, immutable'

/** A file of the build. A start reads none of them; the first request reads it, and it is kept. */
type BuiltFile = () => StaticFile

/** Serves the built dashboard; false when it has not been built. */
export function addDashboard(app: Hono, folder: string): boolean {
  const files = findFiles(folder)
  const page = files.get(PAGE)
  if (!page) return false
  const worker = files.get(SERVICE_WORKER)
  if (worker)
    files.set(
      SERVICE_WORKER,
      once(() => withBuild(worker(), page(), files)),
    )
  for (const path of SCREENS) app.get(path, (context) => answer(context, page(), 'no-cache'))
  app.get(`${ASSETS}*`, (context, next) => {
    const file = files.get(context.req.path)
    return file ? answer(context, file(), ONE_YEAR) : next()
  })
  for (const [path, file] of files) {
    if (file !== page && !isAsset(path)) app.get(path, (context) => answer(context, file(), 'no-cache'))
  }
  return true
}

/**
 * The service worker with what it has to know of the build. Its version is a hash of what all files contain, so a browser
 * replaces it, and what it keeps, when any of them has changed.
 */
function withBuild(worker: StaticFile, page: StaticFile, files: Map<string, BuiltFile>): StaticFile {
  const version = createHash('sha256')
  for (const [path, file] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    version.update(path)
    if (path === SERVICE_WORKER) version.update(worker.etag)
    else if (!isAsset(path)) version.update(file().etag)
  }
  const loaded = [...page.plain.toString().matchAll(/\b(?:src|href)="(\/[^"]+)"/g)].map(
    ([, path]) => path as string,
  )
  const build = { version: version.digest('base64url').slice(0, 22), files: ['/', ...new Set(loaded)] }
  return createStaticFile(`const BUILD = ${JSON.stringify(build)}\n${worker.plain}`, worker.type)
}

function findFiles(folder: string): Map<string, BuiltFile> {
  const names = existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : []
  const files = new Map<string, BuiltFile>()
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (!type) continue
    const read = () => createStaticFile(readFileSync(join(folder, name)), type)
    files.set(`/${name.replaceAll('\\', '/')}`, once(read))
  }
  return files
}

function once(make: BuiltFile): BuiltFile {
  let made: StaticFile | null = null
  return () => (made ??= make())
}

function isAsset(path: string): boolean {
  return path.startsWith(ASSETS)
}

function answer(context: Context, file: StaticFile, caching: string): Promise<Response> {
  return sendFile(context, file, { ...HEADERS, 'cache-control': caching })
}
