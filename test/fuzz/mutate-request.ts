import type { Living } from './living.ts'
import { mutateBody, mutateText, pick, type Random } from './mutate.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']
const ODD_HEADERS: readonly Record<string, string>[] = [
  ...[{ 'content-type': 'text/plain' }, { 'content-type': 'application/json; charset=utf-7' }],
  ...[{ 'content-encoding': 'gzip' }, { accept: 'image/png' }, { origin: 'https://elsewhere.example' }],
  ...[{ host: 'elsewhere.example' }, { authorization: 'Bearer x' }, { authorization: 'Basic Og==' }],
  ...[{ cookie: 'a=%ff; =; ;;' }, { 'if-none-match': '*' }, { range: 'bytes=0-' }],
  ...[{ 'accept-language': '*;q=9' }, { 'accept-encoding': 'zstd;q=2, *;q=0' }, { expect: 'x' }],
  ...[{ 'x-forwarded-proto': 'gopher' }, { 'x-forwarded-for': 'unknown, "[::1]:1"' }],
]

/**
 * The request with one part changed, so that what comes after the first refusal is reached as well. A third goes as it is,
 * and is the same object then.
 */
export function mutated(living: Living, random: Random): Living {
  const part = random(12)
  const changed = { ...living, headers: { ...living.headers } }
  const { body, bytes } = living
  if (part < 5 && bytes)
    changed.bytes = Buffer.from(mutateText(Buffer.from(bytes).toString('latin1'), random), 'latin1')
  else if (part < 5 && body !== undefined) changed.bytes = Buffer.from(mutateBody(body, random))
  else if (part === 5 || part === 6) changed.path = mutatedPath(living.path, random)
  else if (part === 7) Object.assign(changed.headers, pick(ODD_HEADERS, random))
  else if (part === 8 && random(4) === 0) changed.method = pick(METHODS, random)
  else return living
  return changed
}

/** Only what a line of HTTP may hold is sent. */
function mutatedPath(path: string, random: Random): string {
  const text =
    random(3) > 0
      ? mutateText(path, random)
      : path.replace(/\d+/, String(pick([0, -1, 1, 2 ** 31, 1e21, '1e3'], random)))
  return `/${encodeURI(text.toWellFormed()).replace(/^\/+/, '').replaceAll(' ', '%20')}`
}
