import { isZone, localTimeOf, readerZone } from '../../data/zone-time.ts'

const INSTANT = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g

/** A message about a field of a form, with fields by their labels and instants as the clocks of a zone show them. */
export function inFormWords(
  message: string,
  texts: Readonly<Record<string, { label: string }>>,
  zone: unknown,
): string {
  const shownIn = typeof zone === 'string' && isZone(zone) ? zone : readerZone()
  const named = Object.entries(texts).reduce((said, [name, { label }]) => {
    // A name that is a word, too, is one only where the message begins.
    const found = new RegExp(name.includes('_') ? `\\b${name}\\b` : `^${name}(?= )`, 'g')
    // `Rule (RRULE)` is the label; `Rule` is how a sentence begins.
    return said.replace(found, label.replace(/ \(.*\)$/, ''))
  }, message)
  return named.replace(INSTANT, (instant) => localTimeOf(new Date(instant), shownIn).replace('T', ' '))
}
