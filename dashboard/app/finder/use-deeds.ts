import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { INCIDENTS, operationOf } from '../../../src/contract/subjects.ts'
import { ask, question } from '../../data/ask.ts'
import { t } from '../../language/language.ts'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { useMaintenance } from '../../parts/maintenance/use-maintenance.ts'
import { type Item, SHOWN } from './item.ts'
import { scoreOf } from './match.ts'
import { type Found, useMonitorsFound } from './use-found.ts'

const MUTED_MINUTES = 30

/** The words by which each deed is found, in the reader's language. */
const WORDS = {
  pause: t('Pause'),
  resume: t('Resume'),
  check: t('Check now'),
  mute: t('Mute'),
  acknowledge: t('Acknowledge'),
} as const
type Deed = keyof typeof WORDS

const MIN_LETTERS = 3

/** The deed that the first word asks for, and the rest, which names what it is done to. */
export function readDeed(typed: string): { deed: Deed; rest: string } | null {
  const [first = '', ...others] = typed.split(/\s+/)
  if (first.length < MIN_LETTERS) return null
  const deed = (Object.keys(WORDS) as Deed[]).find((one) => scoreOf(first, WORDS[one]) === 0)
  if (!deed) return null
  // "Check now" may be written out.
  const [, ...more] = WORDS[deed].toLowerCase().split(' ')
  const rest = others.filter((word, index) => word.toLowerCase() !== more[index])
  return { deed, rest: rest.join(' ') }
}

/** The actions on monitors and incidents that are typed with a name: "pause checkout", "acknowledge shop". */
export function useDeeds(team: number, typed: string, mayWrite: boolean): Found {
  const queries = useQueryClient()
  const say = useNotices()
  const maintenance = useMaintenance(team)
  const asked = mayWrite ? readDeed(typed) : null
  // "check" alone may begin a name; of incidents that wait there are few.
  const read = asked && (asked.rest !== '' || asked.deed === 'acknowledge') ? asked : null
  const monitors = useMonitorsFound(team, read?.rest ?? '')
  const isAcknowledging = read?.deed === 'acknowledge'
  const open = useQuery({
    ...question(team, 'listIncidentRows', {
      query: { state: 'unacknowledged', per_page: SHOWN, ...(read?.rest && { search: read.rest }) },
    }),
    placeholderData: keepPreviousData,
    enabled: isAcknowledging,
  })
  if (!read) return { isWaiting: false, groups: [] }

  function perform(done: string, act: () => Promise<unknown>) {
    act()
      .then(() => say.done(done), say.problem)
      .finally(() => void queries.invalidateQueries({ queryKey: [team] }))
  }

  if (isAcknowledging) {
    const items = (open.data?.data ?? []).map(
      ({ kind, id, subject_name: name, cause }): Item => ({
        value: `acknowledge-${kind}-${id}`,
        label: t('Acknowledge {name}', { name }),
        detail: cause,
        act: () =>
          perform(t('{name} acknowledged.', { name }), () =>
            ask(team, operationOf(INCIDENTS, kind, 'acknowledge*'), { id, body: { note: '' } }),
          ),
      }),
    )
    const isWaiting = open.isPending || open.isPlaceholderData
    return { isWaiting, groups: [{ heading: t('Actions'), items }] }
  }

  const { deed } = read
  const [found] = monitors.groups
  const items = (found?.items ?? []).flatMap((monitor): Item[] => {
    const id = Number(monitor.value.split(' ')[1])
    const name = monitor.label
    const line = (label: string, act: () => void): Item[] => [
      {
        value: `${deed} ${id}`,
        label,
        detail: monitor.detail,
        ...(monitor.status && { status: monitor.status }),
        act,
      },
    ]
    switch (deed) {
      case 'check':
        return line(t('Check {name} now', { name }), () =>
          perform(t('{name} is being checked.', { name }), () => ask(team, 'checkMonitorNow', { id })),
        )
      case 'mute':
        return line(t('Mute {name} for {count} min', { name, count: MUTED_MINUTES }), () =>
          maintenance.mutate({
            do: 'maintain',
            subjects: { monitor_ids: [id], server_ids: [], site_ids: [] },
            minutes: MUTED_MINUTES,
          }),
        )
      default: {
        const isPausing = deed === 'pause'
        // Only those that are not so already.
        if ((monitor.status === 'paused') === isPausing) return []
        return line(isPausing ? t('Pause {name}', { name }) : t('Resume {name}', { name }), () =>
          perform(isPausing ? t('{name} paused.', { name }) : t('{name} resumed.', { name }), () =>
            ask(team, 'updateMonitor', { id, body: { is_active: !isPausing } }),
          ),
        )
      }
    }
  })
  return { isWaiting: monitors.isWaiting, groups: [{ heading: t('Actions'), items }] }
}
