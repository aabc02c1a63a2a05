import { PAGE_LOCALES } from '../page-language.ts'
import type { PageLanguage } from '../status-page.ts'

/** Words of the posts that the service writes about outages by itself; `names` is a list of components. */
export type OutageWords = {
  title: (names: string) => string
  began: (names: string) => string
  joined: (names: string) => string
  eased: (names: string) => string
  resolved: string
  more: (count: number) => string
}

export const OUTAGE_WORDS: Record<PageLanguage, OutageWords> = {
  en: {
    title: (names) => `Outage: ${names}`,
    began: (names) => `Not available: ${names}. We are looking into it.`,
    joined: (names) => `Also not available: ${names}.`,
    eased: (names) => `Available again: ${names}.`,
    resolved: 'Everything is available again.',
    more: (count) => `${count} more`,
  },
  de: {
    title: (names) => `Ausfall: ${names}`,
    began: (names) => `Nicht verfügbar: ${names}. Wir gehen dem nach.`,
    joined: (names) => `Ebenfalls nicht verfügbar: ${names}.`,
    eased: (names) => `Wieder verfügbar: ${names}.`,
    resolved: 'Alles ist wieder verfügbar.',
    more: (count) => `${count} weitere`,
  },
  fr: {
    title: (names) => `Panne : ${names}`,
    began: (names) => `Indisponible : ${names}. Nous recherchons la cause.`,
    joined: (names) => `Également indisponible : ${names}.`,
    eased: (names) => `De nouveau disponible : ${names}.`,
    resolved: 'Tout est de nouveau disponible.',
    more: (count) => `${count} de plus`,
  },
  es: {
    title: (names) => `Interrupción: ${names}`,
    began: (names) => `No disponible: ${names}. Lo estamos investigando.`,
    joined: (names) => `Tampoco disponible: ${names}.`,
    eased: (names) => `Disponible de nuevo: ${names}.`,
    resolved: 'Todo vuelve a estar disponible.',
    more: (count) => `${count} más`,
  },
  pt: {
    title: (names) => `Interrupção: ${names}`,
    began: (names) => `Indisponível: ${names}. Estamos a investigar.`,
    joined: (names) => `Também indisponível: ${names}.`,
    eased: (names) => `Novamente disponível: ${names}.`,
    resolved: 'Tudo está novamente disponível.',
    more: (count) => `mais ${count}`,
  },
  ja: {
    title: (names) => `障害: ${names}`,
    began: (names) => `利用できません: ${names}。原因を調査しています。`,
    joined: (names) => `次も利用できません: ${names}。`,
    eased: (names) => `復旧しました: ${names}。`,
    resolved: 'すべて復旧しました。',
    more: (count) => `ほか${count}件`,
  },
}

const MAX_NAMES = 3

/** Names as a language lists them, the first ones of many. */
export function listNames(language: PageLanguage, names: readonly string[]): string {
  const { more } = OUTAGE_WORDS[language]
  const rest = names.length - MAX_NAMES
  const shown = rest > 1 ? [...names.slice(0, MAX_NAMES), more(rest)] : names
  return new Intl.ListFormat(PAGE_LOCALES[language]).format(shown)
}
