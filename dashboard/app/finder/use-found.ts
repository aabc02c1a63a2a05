import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SUBJECT_KINDS, SUBJECT_NAMES } from '../../../src/core/maintenance/subject-kind.ts'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import { question } from '../../data/ask.ts'
import { hintOf, useFoundPages } from '../../data/subjects/found-subjects.ts'
import { pathOfSubject } from '../../data/subjects/shown-kinds.ts'
import { t } from '../../language/language.ts'
import { type Group, type Item, SHOWN } from './item.ts'
import { ranked } from './match.ts'
import { recentIn } from './recent.ts'

const MAX_LOOSE = 20
const LOOSE_ROWS = 100
const placeholderData = keepPreviousData

export type Found = { isWaiting: boolean; groups: Group[] }

/**
 * The records of a team by a few letters. The service searches what may be thousands, and answers with a few; of contacts,
 * pages, schedules and policies there are few, which are asked for once.
 */
export function useFound(team: number, typed: string): Found {
  const monitors = useMonitorsFound(team, typed)
  const subjects = useSubjectsFound(team, typed)
  const few = useFewFound(team, typed)
  return {
    isWaiting: monitors.isWaiting || subjects.isWaiting || few.isWaiting,
    groups: [...monitors.groups, ...subjects.groups, ...few.groups],
  }
}

/** Monitors of the words; where none has them, those with the letters in their order. */
export function useMonitorsFound(team: number, typed: string): Found {
  const found = useQuery({
    ...question(team, 'listMonitorRows', { query: { per_page: SHOWN, ...(typed && { search: typed }) } }),
    placeholderData,
  })
  const letters = [...typed.replaceAll(/\s/g, '')]
  const isNone = found.data?.data.length === 0 && !found.isPlaceholderData
  const loosely = useQuery({
    ...question(team, 'listMonitorRows', { query: { per_page: LOOSE_ROWS, search: letters.join(' ') } }),
    enabled: isNone && letters.length > 1 && letters.length <= MAX_LOOSE,
  })
  const rows =
    isNone && loosely.data
      ? ranked(loosely.data.data, typed, { text: ({ name }) => name, usedAt: () => 0 }).slice(0, SHOWN)
      : (found.data?.data ?? [])
  return {
    isWaiting: found.isPending || found.isPlaceholderData || loosely.isFetching,
    groups: [
      {
        heading: t('Monitors'),
        items: rows.map((row) => ({
          value: `monitor ${row.id}`,
          label: row.name,
          detail: row.target,
          status: liveStatus(row),
          href: pathOfSubject(team, { kind: 'monitor', id: row.id }),
        })),
      },
    ],
  }
}

/** Subjects of the other kinds, and incidents; none before anything is typed. */
function useSubjectsFound(team: number, typed: string): Found {
  const enabled = typed !== ''
  const kinds = SUBJECT_KINDS.filter((kind) => kind !== 'monitor')
  const pages = useFoundPages(team, (kind) => ({
    query: { search: typed, sort: 'name', per_page: SHOWN },
    enabled: enabled && kind !== 'monitor',
  }))
  const incidents = useQuery({
    ...question(team, 'listIncidentRows', { query: { search: typed, per_page: SHOWN } }),
    placeholderData,
    enabled,
  })
  if (!enabled) return { isWaiting: false, groups: [] }
  const all = [...kinds.map((kind) => pages[kind]), incidents]
  return {
    isWaiting: all.some((asked) => asked?.isPending || asked?.isPlaceholderData),
    groups: [
      ...kinds.map((kind) => ({
        heading: t(SUBJECT_NAMES[kind]),
        items: (pages[kind]?.data?.data ?? []).map((row) => ({
          value: `${kind} ${row.id}`,
          label: row.name,
          detail: hintOf(kind, row),
          status: liveStatus(row),
          href: pathOfSubject(team, { kind, id: row.id }),
        })),
      })),
      {
        heading: t('Incidents'),
        items: (incidents.data?.data ?? []).map((row) => ({
          value: `incident-${row.kind}-${row.id}`,
          label: row.subject_name,
          detail: row.cause,
          href: incidentPath(team, row),
        })),
      },
    ],
  }
}

export function incidentPath(team: number, { kind, id }: { kind: string; id: number }): string {
  const rooms: Record<string, string> = { server: 'servers/', site: 'sites/' }
  return `/teams/${team}/incidents/${rooms[kind] ?? ''}${id}`
}

/** Records that a team has few of. */
function useFewFound(team: number, typed: string): Found {
  const enabled = typed !== ''
  const contacts = useQuery({ ...question(team, 'listContacts', {}), enabled })
  const pages = useQuery({ ...question(team, 'listStatusPages', {}), enabled })
  const schedules = useQuery({ ...question(team, 'listSchedules', {}), enabled })
  const policies = useQuery({ ...question(team, 'listEscalationPolicies', {}), enabled })
  if (!enabled) return { isWaiting: false, groups: [] }
  const used = recentIn(team).map(({ value }) => value)
  const groupOf = (
    heading: string,
    path: string,
    rows: readonly { id: number; name: string }[] | undefined,
  ) => {
    const items = (rows ?? []).map(
      ({ id, name }): Item => ({
        value: `${path} ${id}`,
        label: name,
        href: `/teams/${team}/${path}/${id}`,
      }),
    )
    const usedAt = ({ value }: Item) => (used.includes(value) ? -used.indexOf(value) : -used.length)
    return { heading, items: ranked(items, typed, { text: ({ label }) => label, usedAt }).slice(0, SHOWN) }
  }
  return {
    isWaiting: [contacts, pages, schedules, policies].some(({ isPending }) => isPending),
    groups: [
      groupOf(t('Contacts'), 'contacts', contacts.data?.data),
      groupOf(t('Status pages'), 'status-pages', pages.data?.data),
      groupOf(t('Schedules'), 'on-call/schedules', schedules.data?.data),
      groupOf(t('Escalation policies'), 'on-call/policies', policies.data?.data),
    ],
  }
}
