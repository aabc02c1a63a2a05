import { withoutEnd } from '../core/text.ts'

/** How the head of an answer reads once every oddity that browsers and curl put up with is gone. */
export type ReadHead =
  /** `oddities`: what was wrong with it, in words for people; empty for one that is as it should be. */
  | { kind: 'read'; head: string; statusCode: number; oddities: string[] }
  /** Browsers or curl refuse it, too. */
  | { kind: 'refused'; why: string }

type Header = { name: string; value: string }
type Remark = (oddity: string) => void

/** Versions that browsers and curl both take, and how HTTP/1.1 writes them. */
const VERSIONS: Record<string, string> = {
  '1.1': '1.1',
  '1.0': '1.0',
  '2.0': '2.0',
  '2': '2.0',
  '0.9': '0.9',
}
const STATUS_LINE = /^HTTP\/([\d.]+)( *)(\d{3})(?!\d)(.*)$/is
/** RFC 9110, section 5.6.2. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/g
/** More digits than a length has; it is as good as none. */
const MAX_LENGTH_DIGITS = 15

/**
 * Reads the head of an answer, in Latin-1, up to and with its empty line, as curl and browsers agree to read it. Where
 * RFC 9112 says how a recipient repairs something (sections 2.2, 5.1, 5.2, 6.3), that is done.
 */
export function readOddHead(text: string): ReadHead {
  const oddities = new Set<string>()
  const remark = (oddity: string) => void oddities.add(oddity)
  const lines = text.replace(/^[\r\n]+/, '').split('\n')
  if (/^[\r\n]/.test(text)) remark('empty lines before the status line')
  if (/[^\r]\n|^\n/.test(text)) remark('lines that end with LF only')
  if (/\r\r\n/.test(text)) remark('lines that end with two CR')
  const [first = '', ...rest] = lines.map((line) => withoutEnd(line, '\r'))
  const status = readStatusLine(first, remark)
  if ('why' in status) return { kind: 'refused', why: status.why }
  if (text.includes('\0')) return { kind: 'refused', why: 'NUL in the header' }
  const headers = readHeaders(rest, remark)
  if ('why' in headers) return { kind: 'refused', why: headers.why }
  const framed = readFraming(headers.fields, remark)
  if ('why' in framed) return { kind: 'refused', why: framed.why }
  const written = framed.fields.map(({ name, value }) => `${name}: ${value}\r\n`)
  const head = `${status.line}\r\n${written.join('')}\r\n`
  return { kind: 'read', head, statusCode: status.code, oddities: [...oddities] }
}

function readStatusLine(line: string, remark: Remark): { line: string; code: number } | { why: string } {
  const [, said = '', space = '', code = '', reason = ''] = STATUS_LINE.exec(line) ?? []
  const version = VERSIONS[said]
  if (version === undefined) return { why: code === '' ? 'Invalid status line' : 'Invalid HTTP version' }
  if (space === '') return { why: 'Invalid status line' }
  const isPlain = line.startsWith('HTTP/') && space === ' ' && /^( |$)/.test(reason)
  if (!isPlain) remark('an odd status line')
  if (!version.startsWith('1.')) remark(`HTTP/${said} in the status line`)
  const words = trimmed(reason).replace(CONTROL, ' ')
  return { line: `HTTP/${version} ${code} ${words}`, code: Number(code) }
}

function readHeaders(lines: readonly string[], remark: Remark): { fields: Header[] } | { why: string } {
  const fields: Header[] = []
  for (const line of lines) {
    if (line === '') continue
    if (/^[ \t]/.test(line)) {
      const last = fields.at(-1)
      if (!last) return { why: 'Unexpected space after start line' }
      remark('folded header lines')
      last.value = trimmed(`${last.value} ${trimmed(line)}`)
      continue
    }
    const colon = line.indexOf(':')
    if (colon < 0) return { why: 'Header without colon' }
    const said = line.slice(0, colon)
    const name = trimmed(said)
    if (name !== said) remark('white space before a colon')
    if (!TOKEN.test(name)) remark('odd names of headers')
    fields.push({ name, value: trimmed(line.slice(colon + 1)) })
  }
  return { fields }
}

/** Says each length once: chunked wins over a length, and equal lengths are one (RFC 9112, section 6.3). */
function readFraming(all: readonly Header[], remark: Remark): { fields: Header[] } | { why: string } {
  const valuesOf = (wanted: string) =>
    all
      .filter(({ name }) => name.toLowerCase() === wanted)
      .flatMap(({ value }) => value.split(','))
      .map(trimmed)
  const codings = valuesOf('transfer-encoding').map((coding) => coding.toLowerCase())
  const isChunked = codings.includes('chunked')
  if (codings.length > 0 && (codings.length > 1 || !isChunked)) remark('an odd Transfer-Encoding')
  const lengths = valuesOf('content-length')
  const [length, ...others] = new Set(lengths)
  const fields = all
    .filter(({ name }) => !/^(content-length|transfer-encoding)$/i.test(name))
    .filter(({ name }) => name !== '')
    .map((field) => withoutOddBytes(field, remark))
  if (isChunked) {
    if (length !== undefined) remark('Content-Length beside chunked')
    return { fields: [...fields, { name: 'Transfer-Encoding', value: 'chunked' }] }
  }
  if (length === undefined) return { fields }
  if (others.length > 0) return { why: 'Duplicate Content-Length' }
  if (lengths.length > 1) remark('Content-Length given twice')
  if (/^\d+$/.test(length) && length.length <= MAX_LENGTH_DIGITS)
    return { fields: [...fields, { name: 'Content-Length', value: length }] }
  if (length === '') return { why: 'Empty Content-Length' }
  if (!/^\+?\d/.test(length)) return { why: 'Invalid character in Content-Length' }
  remark('a Content-Length that is no number')
  return { fields }
}

function withoutOddBytes({ name, value }: Header, remark: Remark): Header {
  const printable = value.replace(CONTROL, ' ')
  if (printable !== value) remark('control characters in a header')
  return { name: name.replace(/[^\w!#$%&'*+.^`|~-]/g, '_'), value: printable }
}

/** Without white space as HTTP knows it: a byte that Unicode calls a space may be part of a character in UTF-8. */
function trimmed(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '')
}
