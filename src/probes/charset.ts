const DEFAULT = 'utf-8'

/**
 * The label of a document's character encoding: byte order mark, Content-Type, `<meta>` in that order
 * (Encoding and HTML standards); UTF-8 when none of them names one that is known.
 */
export function charsetOf(contentType: string, head: Buffer): string {
  return byteOrderMark(head) ?? known(charsetParameter(contentType)) ?? known(metaCharset(head)) ?? DEFAULT
}

function byteOrderMark(head: Buffer): string | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : null
}

function charsetParameter(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? null
}

/** A `<meta>` that could be read byte by byte cannot be in UTF-16, whatever it says. */
function metaCharset(head: Buffer): string | null {
  const label = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head.toString('latin1'))?.[1]
  return label && !/^utf-?16/i.test(label) ? label : null
}

function known(label: string | null): string | null {
  try {
    return label && new TextDecoder(label).encoding
  } catch {
    return null
  }
}
