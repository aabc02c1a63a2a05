import { useQuery } from '@tanstack/react-query'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type DnsChange, dnsHistory } from '../../parts/sites/dns-changes.ts'
import { Time } from '../../parts/time.tsx'
import type { Site } from './site-data.ts'

const SHOWN_CHANGES = 10

/** The DNS records of a site as they stand, and how they came to. */
export function SiteDns({ site }: { site: Site }) {
  const { id: team } = useTeam()
  const sets = useQuery(question(team, 'listSiteDnsSets', { id: site.id }))
  return (
    <Panel title={t('DNS records')}>
      <Answered answer={sets} lines={4}>
        {({ data }) => <Types types={dnsHistory(data)} />}
      </Answered>
    </Panel>
  )
}

function Types({ types }: { types: ReturnType<typeof dnsHistory> }) {
  if (types.length === 0) return <p className="px-4 py-3 text-soft">{t('Not checked yet.')}</p>
  return (
    <ul className="divide-y divide-line">
      {types.map(({ type, records, changes }) => (
        <li key={type} className="px-4 py-2.5">
          <h3 className="text-sm font-medium uppercase">{type}</h3>
          {records.length === 0 && <p className="text-soft">{t('None')}</p>}
          <ul>
            {records.map((record) => (
              <li key={record} className="font-mono text-sm break-all">
                {record}
              </li>
            ))}
          </ul>
          {changes.length > 0 && (
            <details className="mt-1 text-sm">
              <summary className="w-fit cursor-pointer py-1 text-soft underline">
                {rich('{count, plural, one {# change} other {# changes}}, the last {time}', {
                  count: changes.length,
                  time: <Time at={changes[0]?.at ?? ''} />,
                })}
              </summary>
              <ol className="flex flex-col gap-2">
                {changes.slice(0, SHOWN_CHANGES).map((change) => (
                  <Change key={change.at} change={change} />
                ))}
              </ol>
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}

function Change({ change: { at, added, removed } }: { change: DnsChange }) {
  return (
    <li>
      <Time at={at} as="date" />
      {removed.map((record) => (
        <p key={`-${record}`} className="font-mono break-all text-down">
          <span aria-hidden>− </span>
          <span className="sr-only">{t('Removed:')} </span>
          {record}
        </p>
      ))}
      {added.map((record) => (
        <p key={`+${record}`} className="font-mono break-all text-up">
          <span aria-hidden>+ </span>
          <span className="sr-only">{t('Added:')} </span>
          {record}
        </p>
      ))}
    </li>
  )
}
