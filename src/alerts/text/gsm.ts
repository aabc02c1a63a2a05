/** The alphabet of text messages (3GPP TS 23.038, section 6.2.1): one septet each. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** Its extension: two septets each. */
const EXTENDED = '^{}\\[~]|€'
const SEPTETS = new Map([
  ...[...BASIC].map((one) => [one, 1] as const),
  ...[...EXTENDED].map((one) => [one, 2] as const),
])

const ELLIPSIS = '...'

/** Typographic characters, with those of the alphabet in their place. One of these would more than halve the room of a message. */
const SIMPLER: Record<string, string> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
  '·': '-',
  '•': '-',
  '×': 'x',
  '→': '->',
  '\u00a0': ' ',
  '\u202f': ' ',
  '`': "'",
  '\t': ' ',
}

/** The characters of one segment alone, and of each of several, which share a header (section 9.2.3.24). */
const ROOM = { gsm: { alone: 160, each: 153 }, ucs2: { alone: 70, each: 67 } }

/**
 * The text with `ending` behind it, cut to at most as many segments as `limits` has for its alphabet. Letters with marks
 * that the alphabet of text messages lacks lose their marks; other scripts go in UCS-2, which has less than half of the
 * room.
 */
export function fitSegments(text: string, ending: string, limits: Limits): string {
  const { simple, whole, sizeOf, room } = measured(text, ending, limits)
  if (sizeOf(whole) <= room) return whole
  let left = room - sizeOf(ending) - ELLIPSIS.length
  let kept = ''
  for (const character of simple) {
    left -= sizeOf(character)
    if (left < 0) break
    kept += character
  }
  return `${kept.trimEnd()}${ELLIPSIS}${ending}`
}

/** Whether `fitSegments` would cut nothing. */
export function hasRoomFor(text: string, ending: string, limits: Limits): boolean {
  const { whole, sizeOf, room } = measured(text, ending, limits)
  return sizeOf(whole) <= room
}

type Limits = { gsm: number; ucs2: number }

function measured(text: string, ending: string, limits: Limits) {
  const simple = simplified(text)
  const whole = `${simple}${ending}`
  const alphabet = [...whole].every((character) => SEPTETS.has(character)) ? 'gsm' : 'ucs2'
  const sizeOf = (part: string) =>
    alphabet === 'ucs2' ? part.length : [...part].reduce((sum, one) => sum + (SEPTETS.get(one) ?? 0), 0)
  const { alone, each } = ROOM[alphabet]
  const segments = limits[alphabet]
  // A character of two units is not divided between two segments.
  const room = segments === 1 ? alone : segments * each - (segments - 1)
  return { simple, whole, sizeOf, room }
}

function simplified(text: string): string {
  return Array.from(text, (character) => {
    const simpler = SIMPLER[character] ?? character
    if ([...simpler].every((one) => SEPTETS.has(one))) return simpler
    const bare = simpler.normalize('NFD').replace(/\p{Mn}/gu, '')
    return [...bare].every((one) => SEPTETS.has(one)) ? bare : simpler
  }).join('')
}
