import type { Translator } from '../../language/translate.ts'

/** Posts that the service writes itself. */
export function writtenWords(t: Translator['t']) {
  return {
    /** Posts that the service writes about outages; `names` is a list of components. */
    outages: {
      title: (names: string) => t('Outage: {names}', { names }),
      began: (names: string) => t('Not available: {names}. We are looking into it.', { names }),
      joined: (names: string) => t('Also not available: {names}.', { names }),
      eased: (names: string) => t('Available again: {names}.', { names }),
      resolved: t('Everything is available again.'),
      more: (count: number) => t('{count} more', { count }),
    },
    /** Updates that the service writes about planned maintenance; times are texts. */
    planned: {
      began: t('The maintenance has begun.'),
      completed: t('The maintenance is over.'),
      calledOff: t('The maintenance was called off.'),
      until: (end: string) => t('The maintenance now lasts until {end}.', { end }),
      moved: (start: string, end: string) =>
        t('The maintenance was moved: it now lasts from {start} until {end}.', { start, end }),
    },
  }
}
