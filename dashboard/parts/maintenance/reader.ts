import { readerZone } from '../../data/zone-time.ts'
import { LANGUAGE, LOCALE } from '../../language/language.ts'

/** The one who reads, for sentences that the service writes: zone, language, and how their browser writes dates. */
export function readerHere() {
  return { reader_zone: readerZone(), reader_language: LANGUAGE, reader_locale: LOCALE }
}
