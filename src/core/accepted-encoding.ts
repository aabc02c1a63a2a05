/** Best first. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The best encoding that `Accept-Encoding` names (RFC 9110 section 12.5.3), `q=0` rules one out; null: none. */
export function acceptedEncoding(header: string | undefined): Encoding | null {
  if (header === undefined) return null
  const asked = header.toLowerCase().split(',')
  return ENCODINGS.find((encoding) => asked.some((one) => isAccepted(one.trim(), encoding))) ?? null
}

function isAccepted(asked: string, encoding: Encoding): boolean {
  if (!asked.startsWith(encoding)) return false
  const parameters = asked.slice(encoding.length)
  if (parameters === '') return true
  const weight = /^\s*;\s*q=([\d.]+)$/.exec(parameters)?.[1]
  return weight !== undefined && Number(weight) > 0
}
