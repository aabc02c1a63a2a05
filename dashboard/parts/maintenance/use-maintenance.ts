import { useMutation, useQueryClient } from '@tanstack/react-query'
import { formatDuration } from '../../../src/core/duration.ts'
import type { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { ofEachField } from '../../../src/core/maintenance/subject-kind.ts'
import type { Chosen } from '../../../src/core/maintenance/window.ts'
import { ask } from '../../data/ask.ts'
import { t } from '../../language/language.ts'
import { useNotices } from '../feedback/notices.tsx'
import { countSubjects, saySubjectCount } from './subject-words.ts'

export const MORE_MINUTES = 30

/** The lengths of maintenance that two clicks start. */
export const QUICK_LENGTHS = [
  { minutes: 30, label: '30 min' },
  { minutes: 60, label: '1 h' },
  { minutes: 240, label: '4 h' },
] as const

type Named = { id: number; name: string }

export type MaintenanceAct =
  | { do: 'maintain'; subjects: Chosen; minutes: number }
  | { do: 'start'; window: Named; minutes?: number }
  | { do: 'end'; window: Named }
  | { do: 'prolong'; window: Named }
  | { do: 'callOff'; window: Named; startsAt: string }

/** Actions on maintenance that runs or is to come. Every screen shows the outcome. */
export function useMaintenance(team: number, onDone?: (window: WindowDetail, act: MaintenanceAct) => void) {
  const queries = useQueryClient()
  const say = useNotices()
  return useMutation({
    mutationFn: async (act: MaintenanceAct) => (await perform(team, act)).data,
    onSuccess: (window, act) => {
      say.done(sayDone(act))
      onDone?.(window, act)
    },
    onError: say.problem,
    onSettled: () => queries.invalidateQueries({ queryKey: [team] }),
  })
}

function perform(team: number, act: MaintenanceAct) {
  switch (act.do) {
    case 'maintain': {
      const name = t('Short-notice maintenance')
      return ask(team, 'maintainMonitors', { body: { ...act.subjects, minutes: act.minutes, name } })
    }
    case 'start': {
      const { window, minutes } = act
      return ask(team, 'startMaintenance', { id: window.id, body: { minutes } })
    }
    case 'end':
      return ask(team, 'endMaintenance', { id: act.window.id })
    case 'prolong':
      return ask(team, 'prolongMaintenance', { id: act.window.id, body: { minutes: MORE_MINUTES } })
    case 'callOff':
      return ask(team, 'callOffMaintenance', { id: act.window.id, body: { starts_at: act.startsAt } })
  }
}

function sayDone(act: MaintenanceAct): string {
  switch (act.do) {
    case 'maintain': {
      const { subjects } = act
      const counts = ofEachField('_count', (kind) => subjects[`${kind}_ids`].length)
      const duration = formatDuration(act.minutes * 60)
      return countSubjects(counts) === 1
        ? t('Maintenance started for {duration}. Failures alert no one until it ends.', { duration })
        : t('Maintenance of {subjects} started for {duration}. Failures alert no one until it ends.', {
            subjects: saySubjectCount(counts),
            duration,
          })
    }
    case 'start':
      return t('{name} is on.', { name: act.window.name })
    case 'end':
      return t('{name} ended. Failures send alerts again.', { name: act.window.name })
    case 'prolong':
      return t('{name} lasts {count, plural, one {# minute} other {# minutes}} longer.', {
        name: act.window.name,
        count: MORE_MINUTES,
      })
    case 'callOff':
      return t('Called off.')
  }
}
