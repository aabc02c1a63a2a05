const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text of XML 1.0, in elements and in attributes. Characters that no document may contain, not even escaped, are left out. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character] as string)
    .replaceAll(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '')
}
