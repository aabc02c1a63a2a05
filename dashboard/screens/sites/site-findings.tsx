import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { SiteFinding } from '../../../src/core/sites/site-finding.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { HeldArea, useHeldRows } from '../../parts/lists/held-list.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Segments } from '../../parts/segments.tsx'
import {
  FINDING_TABS,
  type FindingTab,
  KIND_WORDS,
  TAB_WORDS,
  tabOf,
} from '../../parts/sites/finding-words.ts'
import { findingsCsv } from '../../parts/sites/findings-csv.ts'
import { Time } from '../../parts/time.tsx'
import { FindingActions } from './finding-actions.tsx'
import type { Site } from './site-data.ts'

const SHOWN = 25

/** Faults that crawls have found, in lists by what they mean. */
export function SiteFindings({ site }: { site: Site }) {
  const { id: team } = useTeam()
  const [tab, setTab] = useState<FindingTab>('told')
  const [isAll, setAll] = useState(false)
  const answer = useQuery(question(team, 'listSiteFindings', { id: site.id }))
  const findings = answer.data?.data
  const byTab = useMemo(() => Map.groupBy(findings ?? [], tabOf), [findings])
  const listed = byTab.get(tab)
  const shown = useMemo(() => (isAll ? listed : listed?.slice(0, SHOWN)), [isAll, listed])
  const held = useHeldRows(shown, {
    keyOf: ({ id }) => String(id),
    list: `${tab} ${isAll}`,
    isFetching: answer.isFetching,
  })
  return (
    <Panel
      title={t('Findings of crawls')}
      actions={
        findings &&
        findings.length > 0 && (
          <Button size="small" onClick={() => save(site, findings)}>
            {t('Export CSV')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-2 border-b border-line px-4 py-3">
        <search className="block max-w-full overflow-x-auto">
          <Segments
            label={t('Findings')}
            value={tab}
            options={FINDING_TABS.map(({ value, label }) => ({
              value,
              label: `${label} ${byTab.get(value)?.length ?? 0}`,
            }))}
            onChoose={setTab}
          />
        </search>
        <p className="text-sm text-soft">{TAB_WORDS[tab]}</p>
      </div>
      <Answered answer={answer} lines={4}>
        {() =>
          held.rows.length === 0 ? (
            <p className="px-4 py-3 text-soft">
              {site.crawl === null ? t('No crawl has ended yet.') : t('Nothing here.')}
            </p>
          ) : (
            <HeldArea held={held}>
              <ul className="divide-y divide-line">
                {held.rows.map((finding) => (
                  <Line key={finding.id} site={site} finding={finding} onDone={held.release} />
                ))}
              </ul>
            </HeldArea>
          )
        }
      </Answered>
      {!isAll && listed && listed.length > SHOWN && (
        <p className="border-t border-line px-4 py-2">
          <Button size="small" onClick={() => setAll(true)}>
            {t('Show all {count, number}', { count: listed.length })}
          </Button>
        </p>
      )}
    </Panel>
  )
}

function Line({ site, finding, onDone }: { site: Site; finding: SiteFinding; onDone: () => void }) {
  const { may } = useTeam()
  const { kind, address, detail, first_seen_at, fixed_at, confirmed_at, ignored_reason } = finding
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-5 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-72">
        <p className="font-medium break-all">{address}</p>
        <p className="break-words">
          {KIND_WORDS[kind]}: {detail}
        </p>
        <Sources sources={finding.sources} />
        <p className="flex flex-wrap gap-x-3 text-sm text-soft">
          <span>{rich('Since {time}', { time: <Time at={first_seen_at} as="date" /> })}</span>
          {fixed_at !== null && (
            <span>{rich('Fixed {time}', { time: <Time at={fixed_at} as="date" /> })}</span>
          )}
          {tabOf(finding) === 'told' && confirmed_at === null && (
            <span>{t('Seen once: the next crawl decides')}</span>
          )}
        </p>
        {ignored_reason !== null && (
          <p className="text-sm break-words">{t('Ignored: {reason}', { reason: ignored_reason })}</p>
        )}
      </div>
      {may('write') && fixed_at === null && (
        <FindingActions site={site.id} finding={finding} onDone={onDone} />
      )}
    </li>
  )
}

function Sources({ sources }: Pick<SiteFinding, 'sources'>) {
  const [first, ...others] = sources
  if (!first) return null
  return (
    <div className="mt-0.5 text-sm text-soft">
      <Source {...first} />
      {others.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer py-1 underline">
            {t('and {count, plural, one {# more page} other {# more pages}}', { count: others.length })}
          </summary>
          <ul>
            {others.map((source) => (
              <li key={source.page}>
                <Source {...source} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function Source({ page, label }: { page: string; label: string }) {
  const at = <span className="break-all">{page}</span>
  return (
    <p className="break-words">
      {label ? rich('On {page}, at “{label}”', { page: at, label }) : rich('On {page}', { page: at })}
    </p>
  )
}

function save(site: Site, findings: SiteFinding[]) {
  const address = URL.createObjectURL(new Blob([findingsCsv(findings)], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `findings-of-site-${site.id}.csv`
  link.click()
  URL.revokeObjectURL(address)
}
