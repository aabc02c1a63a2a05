import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CircleCheck, SearchX } from 'lucide-react'
import { useState } from 'react'
import { INCIDENT_LIST } from '../../../src/core/lists/incident-list.ts'
import { changed, isFiltered, type SearchOf } from '../../../src/core/lists/search.ts'
import type { IncidentRow } from '../../../src/core/monitors/incident-story.ts'
import { question } from '../../data/ask.ts'
import { periodQueryOf } from '../../data/lists/period-search.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { useLiveRows } from '../../parts/lists/held-list.tsx'
import { ListFilters } from '../../parts/lists/list-filters.tsx'
import { ListRows } from '../../parts/lists/list-rows.tsx'
import { isRange, PeriodFields, usePeriod } from '../../parts/lists/period-filter.tsx'
import { SubjectFilter } from '../../parts/lists/subject-filter.tsx'
import { Empty, PageHead, Panel } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'
import { Segments } from '../../parts/segments.tsx'
import { IncidentBulk } from './incidents-bulk.tsx'
import { IncidentLine } from './incidents-line.tsx'

type IncidentSearch = SearchOf<typeof INCIDENT_LIST>

const STATES = [
  { value: 'all', label: t('All') },
  { value: 'open', label: t('Ongoing') },
  { value: 'unacknowledged', label: t('Not acknowledged') },
  { value: 'resolved', label: t('Resolved') },
] as const

/** Incidents of everything that a team has; the service searches, filters and pages them. */
export default function Incidents() {
  const { id: team, may } = useTeam()
  const [chosen, setChosen] = useState<ReadonlyMap<string, IncidentRow>>(new Map())
  const search = useSearch({ from: '/signed-in/teams/$team/incidents' })
  const navigate = useNavigate({ from: '/teams/$team/incidents' })
  const period = usePeriod(search)
  const useRows = (asked: IncidentSearch, enabled: boolean) =>
    useQuery({
      ...question(team, 'listIncidentRows', { query: periodQueryOf(asked) }),
      placeholderData: keepPreviousData,
      enabled,
    })
  const { answer, held } = useLiveRows(useRows, search, {
    keyOf: keyOfIncident,
    isBusy: chosen.size > 0,
  })
  const ongoing = may('write') ? held.rows.filter(({ resolved }) => !resolved) : []
  // The boxes stay while the list is read: the last outage that ends would move all rows to the left.
  const [hadChoices, setHadChoices] = useState(false)
  const hasChoices = ongoing.length > 0 || (hadChoices && held.isReading)
  if (hasChoices !== hadChoices) setHadChoices(hasChoices)
  const choose = (rows: readonly IncidentRow[]) =>
    setChosen(new Map(rows.map((row) => [keyOfIncident(row), row])))

  const show = (change: IncidentSearch) =>
    void navigate({ search: changed<IncidentSearch>(change), replace: 'search' in change })

  return (
    <>
      <PageHead title={t('Incidents')} actions={<ListMenu list="incidents" query={periodQueryOf(search)} />}>
        {t('Outages of your monitors, servers and sites, with their causes and durations')}
      </PageHead>
      <ListFilters
        list={INCIDENT_LIST}
        search={search}
        onChange={show}
        fields={{
          subject: <SubjectFilter team={team} value={search} onChange={show} />,
          period: <PeriodFields search={search} period={period} onChange={show} />,
        }}
        more={isRange(period.value) ? ['9.5rem', '9.5rem'] : []}
      />
      {chosen.size > 0 && (
        <IncidentBulk
          chosen={[...chosen.values()]}
          away={
            [...chosen.keys()].filter((key) => !held.rows.some((row) => keyOfIncident(row) === key)).length
          }
          onShow={() => show({ ids: [...chosen.keys()].join() })}
          onClear={() => setChosen(new Map())}
          onDone={() => {
            held.release()
            setChosen(new Map())
          }}
        />
      )}
      <Panel
        isStale={answer.isPlaceholderData}
        actions={
          <>
            <search>
              <Segments
                label={t('Filter incidents')}
                value={search.state ?? 'all'}
                options={STATES}
                onChoose={(chosen) => show({ state: chosen === 'all' ? undefined : chosen })}
              />
            </search>
            {hasChoices && (
              <Button
                size="small"
                tone="quiet"
                disabled={ongoing.length === 0}
                onClick={() => choose(ongoing)}
              >
                {t('Select all on this page')}
              </Button>
            )}
          </>
        }
      >
        <ListRows
          answer={answer}
          held={held}
          none={<NoIncidents search={search} onShowAll={() => void navigate({ search: {} })} />}
          onPage={(page) => show({ page })}
        >
          {(incidents) => (
            <ul className="divide-y divide-line" aria-label={t('Incidents')}>
              {incidents.map((incident) => (
                <IncidentLine
                  key={keyOfIncident(incident)}
                  team={team}
                  incident={incident}
                  {...(hasChoices && {
                    choice: incident.resolved ? null : (
                      <input
                        type="checkbox"
                        aria-label={t('Select {name}', { name: incident.subject_name })}
                        className="size-4.5 accent-accent"
                        checked={chosen.has(keyOfIncident(incident))}
                        onChange={({ target }) =>
                          choose(
                            target.checked
                              ? [...chosen.values(), incident]
                              : [...chosen.values()].filter(
                                  (row) => keyOfIncident(row) !== keyOfIncident(incident),
                                ),
                          )
                        }
                      />
                    ),
                  })}
                />
              ))}
            </ul>
          )}
        </ListRows>
      </Panel>
    </>
  )
}

function keyOfIncident({ kind, id }: IncidentRow): string {
  return `${kind}-${id}`
}

function NoIncidents({ search, onShowAll }: { search: IncidentSearch; onShowAll: () => void }) {
  const { state } = search
  if (isFiltered(INCIDENT_LIST, { ...search, state: undefined })) {
    return (
      <Empty
        icon={SearchX}
        title={t('No matching incidents')}
        action={<Button onClick={onShowAll}>{t('Show all')}</Button>}
      >
        {t('Search covers causes and the names of monitors, servers and sites.')}
      </Empty>
    )
  }
  if (state === 'unacknowledged')
    return (
      <Empty icon={CircleCheck} title={t('Nothing to acknowledge')}>
        {t('Every ongoing incident is acknowledged.')}
      </Empty>
    )
  if (state === 'open')
    return (
      <Empty icon={CircleCheck} title={t('No ongoing incidents')}>
        {t('Everything that is active is up.')}
      </Empty>
    )
  return (
    <Empty icon={CircleCheck} title={state ? t('No resolved incidents yet') : t('No incidents yet')}>
      {t(
        'When a monitor, server or site goes down, an incident opens here and your contacts get alerts. When it recovers, the incident is resolved.',
      )}
    </Empty>
  )
}
