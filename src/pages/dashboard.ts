import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context, Hono } from 'hono'

/** Paths of the dashboard's screens: the browser draws them all from the one page. */
const SCREENS = [
  '/',
  '/sign-in',
  '/sign-up',
  '/forgotten-password',
  '/invitations',
  '/new-team',
  '/account',
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
}

/** Only our own files, nothing inline; pictures made in the page (a QR code) are data. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'accept-encoding',
}

const ONE_YEAR = 'public, max-age=31536000, immutable'
const BROTLI_QUALITY = 5

type File = {
  plain: Buffer<ArrayBuffer>
  type: string
  etag: string
  packed: Map<Encoding, Promise<Buffer<ArrayBuffer>>>
}
type Encoding = 'br' | 'gzip'

/** Serves the built dashboard out of memory; false when it was never built. */
export async function addDashboard(app: Hono, folder: string): Promise<boolean> {
  const files = await readFiles(folder)
  const page = files.get('/index.html')
  if (!page) return false
  for (const path of SCREENS) app.get(path, (context) => answer(context, page, 'no-cache'))
  for (const [path, file] of files) {
    // What is in assets has its content's hash in its name.
    const caching = path.startsWith('/assets/') ? ONE_YEAR : 'no-cache'
    if (file !== page) app.get(path, (context) => answer(context, file, caching))
  }
  return true
}

async function readFiles(folder: string): Promise<Map<string, File>> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const files = new Map<string, File>()
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (!type) continue
    const plain = await readFile(join(folder, name))
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
    files.set(`/${name.replaceAll('\\', '/')}`, { plain, type, etag, packed: new Map() })
  }
  return files
}

async function answer(context: Context, file: File, caching: string): Promise<Response> {
  const headers = { ...HEADERS, 'content-type': file.type, 'cache-control': caching, etag: file.etag }
  if (context.req.header('if-none-match') === file.etag) return new Response(null, { status: 304, headers })
  const encoding = acceptedEncoding(context.req.header('accept-encoding') ?? '')
  if (encoding === null) return new Response(file.plain, { headers })
  return new Response(await pack(file, encoding), { headers: { ...headers, 'content-encoding': encoding } })
}

function acceptedEncoding(accepted: string): Encoding | null {
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : null
}

/** Compressed by the first request that wants it, and kept. */
function pack(file: File, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  const known = file.packed.get(encoding)
  if (known) return known
  const packed =
    encoding === 'gzip'
      ? promisify(gzip)(file.plain)
      : promisify(brotliCompress)(file.plain, {
          params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
        })
  const kept = packed as Promise<Buffer<ArrayBuffer>>
  file.packed.set(encoding, kept)
  return kept
}
