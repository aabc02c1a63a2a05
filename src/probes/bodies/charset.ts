const DEFAULT = 'utf-8'
/**
 * How far a document may declare its encoding: browsers look through its whole head, though the HTML standard asks for
 * the first 1,024 bytes.
 */
export const DECLARED_WITHIN_BYTES = 8_192
/** The longest byte order mark. */
export const MARK_BYTES = 3
/** RFC 7303, section 4: `application/xml`, `text/xml`, `application/rss+xml` and so on. */
const XML_TYPE = /^\s*(text|application)\/xml\b|^[^;]*\+xml\b/i
/** A declaration that can be read byte by byte is not in UTF-16, even if it says so. */
const UTF16 = /^utf-?16/i

/**
 * The label of a document's character encoding, from the byte order mark, Content-Type, or the document's own
 * declaration: `<?xml encoding` (RFC 7303) or `<meta>` (HTML standard). UTF-8 if none names a known encoding.
 */
export function charsetOf(contentType: string, head: Buffer): string {
  return declaredOutside(contentType, head) ?? saidInside(contentType, head) ?? DEFAULT
}

/** The encoding that a document cannot change by its own declaration; null when that is to be read. */
export function declaredOutside(contentType: string, head: Buffer): string | null {
  return byteOrderMark(head) ?? known(charsetParameter(contentType))
}

/** HTML prefers `<meta>` where both are present; XML has no `<meta>`. */
function saidInside(contentType: string, head: Buffer): string | null {
  const declared = known(xmlCharset(head))
  return XML_TYPE.test(contentType) ? declared : (known(metaCharset(head)) ?? declared)
}

function byteOrderMark(head: Buffer): string | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : null
}

function charsetParameter(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? null
}

/**
 * In UTF-16 the first two characters give it away (XML 1.0, appendix F); otherwise the declaration is read byte by
 * byte.
 */
function xmlCharset(head: Buffer): string | null {
  if (head.toString('utf16le', 0, 4) === '<?') return 'utf-16le'
  if (head.toString('latin1', 0, 4) === '\0<\0?') return 'utf-16be'
  const label = /^<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)["']/i.exec(head.toString('latin1'))?.[1]
  return label && !UTF16.test(label) ? label : null
}

function metaCharset(head: Buffer): string | null {
  const label = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head.toString('latin1'))?.[1]
  return label && !UTF16.test(label) ? label : null
}

function known(label: string | null): string | null {
  try {
    return label && new TextDecoder(label).encoding
  } catch {
    return null
  }
}
