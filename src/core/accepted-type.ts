/** More of a header than any client sends is not read. */
const MAX_HEADER_LENGTH = 1_000

type Range = { type: string; weight: number }

/**
 * Whether `Accept` takes a media type: the most specific range that covers it decides, `q=0` refuses, and a missing
 * header takes everything (RFC 9110, section 12.5.1).
 */
export function accepts(header: string | undefined, type: string): boolean {
  const ranges = rangesOf(header)
  const [family] = type.split('/')
  const deciding = [type, `${family}/*`, '*/*'].map((wanted) => ranges.find((range) => range.type === wanted))
  return (deciding.find((range) => range !== undefined)?.weight ?? 0) > 0
}

/** Whether `Accept` leaves types unnamed. */
export function hasWildcard(header: string | undefined): boolean {
  return rangesOf(header).some(({ type }) => type.endsWith('/*'))
}

/** The ranges of an `Accept` header, without their parameters. */
function rangesOf(header: string | undefined): Range[] {
  const sent = (header ?? '').trim().slice(0, MAX_HEADER_LENGTH) || '*/*'
  return sent.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { type, weight: Number(weight ?? 1) }
  })
}
