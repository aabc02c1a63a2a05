/** More of a header than any browser sends is not read. */
const MAX_HEADER_LENGTH = 500

/** The languages that an `Accept-Language` header wants, the best first (RFC 9110, section 12.5.4). */
export function acceptedLanguages(header: string | undefined): string[] {
  const asked = (header ?? '')
    .slice(0, MAX_HEADER_LENGTH)
    .split(',')
    .map((part, place) => {
      const [range = '', ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { range, weight: Number(weight ?? 1), place }
    })
  const usable = asked.filter(({ range, weight }) => range !== '' && weight > 0)
  return usable.sort((a, b) => b.weight - a.weight || a.place - b.place).map(({ range }) => range)
}
