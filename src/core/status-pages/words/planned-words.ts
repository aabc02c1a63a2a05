import type { PageLanguage } from '../status-page.ts'

/** Words of the updates that the service writes about planned maintenance; times are texts. */
export type PlannedWords = {
  began: string
  completed: string
  calledOff: string
  until: (end: string) => string
  moved: (start: string, end: string) => string
}

export const PLANNED_WORDS: Record<PageLanguage, PlannedWords> = {
  en: {
    began: 'The maintenance has begun.',
    completed: 'The maintenance is over.',
    calledOff: 'The maintenance was called off.',
    until: (end) => `The maintenance now lasts until ${end}.`,
    moved: (start, end) => `The maintenance was moved: it now lasts from ${start} until ${end}.`,
  },
  de: {
    began: 'Die Wartung hat begonnen.',
    completed: 'Die Wartung ist beendet.',
    calledOff: 'Die Wartung wurde abgesagt.',
    until: (end) => `Die Wartung dauert nun bis ${end}.`,
    moved: (start, end) => `Die Wartung wurde verschoben: Sie dauert nun von ${start} bis ${end}.`,
  },
  fr: {
    began: 'La maintenance a commencé.',
    completed: 'La maintenance est terminée.',
    calledOff: 'La maintenance a été annulée.',
    until: (end) => `La maintenance dure désormais jusqu’au ${end}.`,
    moved: (start, end) => `La maintenance a été déplacée : elle dure désormais du ${start} au ${end}.`,
  },
  es: {
    began: 'El mantenimiento ha comenzado.',
    completed: 'El mantenimiento ha terminado.',
    calledOff: 'El mantenimiento se ha cancelado.',
    until: (end) => `El mantenimiento dura ahora hasta el ${end}.`,
    moved: (start, end) => `El mantenimiento se ha cambiado: ahora dura desde el ${start} hasta el ${end}.`,
  },
  pt: {
    began: 'A manutenção começou.',
    completed: 'A manutenção terminou.',
    calledOff: 'A manutenção foi cancelada.',
    until: (end) => `A manutenção dura agora até ${end}.`,
    moved: (start, end) => `A manutenção foi alterada: dura agora de ${start} até ${end}.`,
  },
  ja: {
    began: 'メンテナンスを開始しました。',
    completed: 'メンテナンスは終了しました。',
    calledOff: 'メンテナンスは中止になりました。',
    until: (end) => `メンテナンスの終了予定は${end}に変更されました。`,
    moved: (start, end) => `メンテナンスの予定は${start}から${end}までに変更されました。`,
  },
}
