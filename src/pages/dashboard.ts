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

/** Serves the built dashboard from memory; false when it has not been built. */
export function addDashboard(app: Hono, folder: string): boolean {
  const files = readFiles(folder)
  const page = files.get(PAGE)
  if (!page) return false
  const worker = files.get(SERVICE_WORKER)
  if (worker) files.set(SERVICE_WORKER, withBuild(worker, files))
  for (const path of SCREENS) app.get(path, (context) => answer(context, page, 'no-cache'))
  for (const [path, file] of files) {
    // Names in assets contain a hash of the content.
    const caching = path.startsWith('/assets/') ? ONE_YEAR : 'no-cache'
    if (file !== page) app.get(path, (context) => answer(context, file, caching))
  }
  return true
}

/**
 * The service worker with what it has to know of the build. Its version is the hash of all files, so a browser replaces
 * it, and what it keeps, when any of them has changed.
 */
function withBuild(worker: StaticFile, files: Map<string, StaticFile>): StaticFile {
  const version = createHash('sha256')
  for (const [path, { etag }] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) version.update(path + etag)
  const page = files.get(PAGE)?.plain.toString() ?? ''
  const loaded = [...page.matchAll(/\b(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path as string)
  const build = { version: version.digest('base64url').slice(0, 22), files: ['/', ...new Set(loaded)] }
  return createStaticFile(`const BUILD = ${JSON.stringify(build)}\n${worker.plain}`, worker.type)
}

/** A start reads them at once, without other work meanwhile: a hundred promises take several times as long as the files. */
function readFiles(folder: string): Map<string, StaticFile> {
  const names = existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : []
  const files = new Map<string, StaticFile>()
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (!type) continue
    files.set(`/${name.replaceAll('\\', '/')}`, createStaticFile(readFileSync(join(folder, name)), type))
  }
  return files
}

function answer(context: Context, file: StaticFile, caching: string): Promise<Response> {
  return sendFile(context, file, { ...HEADERS, 'cache-control': caching })
}
