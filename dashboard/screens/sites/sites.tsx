import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Globe } from 'lucide-react'
import { Fragment, useMemo, useState } from 'react'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import type { SiteRow } from '../../../src/core/sites/shown-site.ts'
import { groupsOf } from '../../../src/core/tags/tag-group.ts'
import { asSentence } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import type { SiteSearch } from '../../data/sites/site-search.ts'
import { selectorsOf, withSelector } from '../../data/tags/tag-search.ts'
import { ChosenBar } from '../../forms/tags/chosen-bar.tsx'
import { TagFilter, useHasTags } from '../../forms/tags/tag-filter.tsx'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { countUsed, Filters } from '../../parts/lists/filters.tsx'
import { StatusMark, statusColour, statusWord } from '../../parts/monitors/status.tsx'
import { StatusField } from '../../parts/monitors/status-field.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { AreaMarks, NextLook, nextLookOf } from '../../parts/sites/area-marks.tsx'
import { sayCause } from '../../parts/sites/finding-words.ts'
import { ChooseOne, type Choosing } from '../../parts/tags/choose.tsx'
import { GroupBar, GroupLine } from '../../parts/tags/group-bar.tsx'
import { inGroups } from '../../parts/tags/in-groups.ts'
import { TagChips } from '../../parts/tags/tag-chips.tsx'
import { Since } from '../../parts/time.tsx'
import { sitesQuestion } from './site-data.ts'
import { sitesFound } from './site-list.ts'

/** All sites of a team, a line each. */
export default function Sites() {
  const { id, may } = useTeam()
  const team = String(id)
  const { data, error } = useQuery(sitesQuestion(id))
  const add = (label: string) =>
    may('write') && (
      <Link to="/teams/$team/sites/new" params={{ team }} className={buttonLook('main')}>
        {label}
      </Link>
    )
  const isEmpty = data?.data.length === 0
  const search = useSearch({ from: '/signed-in/teams/$team/sites' })
  const navigate = useNavigate({ from: '/teams/$team/sites' })
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const found = useMemo(() => sitesFound(data?.data ?? [], search), [data, search])
  const { group } = search
  const groups = useMemo(() => (group ? groupsOf(found, group) : null), [found, group])

  function show(change: SiteSearch) {
    setChosen(new Set())
    const kept = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)
    void navigate({ search: Object.fromEntries(kept), replace: 'search' in change })
  }
  const onTag = (tag: string) => show(withSelector(search, tag))

  return (
    <>
      <PageHead
        title={t('Sites')}
        actions={
          <>
            <Link to="/teams/$team/expiries" params={{ team }} className={buttonLook('quiet')}>
              {t('Expiry dates')}
            </Link>
            {!isEmpty && add(t('Add site'))}
            {!isEmpty && <ListMenu list="sites" query={search} />}
          </>
        }
      />
      {!isEmpty && <SiteFilters search={search} onChange={show} />}
      {groups && group && (
        <GroupBar groups={groups} groupKey={group} chosen={selectorsOf(search)} onPick={onTag} />
      )}
      <ChosenBar kind="site" chosen={chosen} onDone={() => setChosen(new Set())} />
      <Panel>
        {error && !data ? (
          <Trouble error={error} within />
        ) : !data ? (
          <Waiting lines={8} />
        ) : isEmpty ? (
          <Empty icon={Globe} title={t('No sites yet')} action={add(t('Add your first site'))}>
            {t(
              'A site is a whole website, monitored as one by its address: its home page, certificate, DNS, domain registration, links, mixed content and sitemap.',
            )}
            {!may('write') && ` ${t('An owner or admin of this team can add the first site.')}`}
          </Empty>
        ) : found.length === 0 ? (
          <Empty
            title={t('No matching sites')}
            action={<Button onClick={() => void navigate({ search: {} })}>{t('Show all')}</Button>}
          >
            {t('Search covers names and addresses.')}
          </Empty>
        ) : (
          <ul aria-label={t('Sites')} className="divide-y divide-line">
            {inGroups(found, group).map(({ row: site, begins }) => (
              <Fragment key={site.id}>
                {begins !== undefined && (
                  <GroupLine
                    tag={begins}
                    groupKey={group ?? ''}
                    group={groups?.find(({ tag }) => tag === begins)}
                  />
                )}
                <Line site={site} onTag={onTag} {...(may('write') && { chosen, onChoose: setChosen })} />
              </Fragment>
            ))}
          </ul>
        )}
      </Panel>
    </>
  )
}

function SiteFilters({ search, onChange }: { search: SiteSearch; onChange: (change: SiteSearch) => void }) {
  return (
    <Filters
      columns={`lg:grid-cols-[minmax(0,1fr)_10rem] ${useHasTags(search) ? 'xl:grid-cols-[minmax(0,1fr)_10rem_15rem_8rem]' : ''}`}
      used={countUsed(search.status, search.tags, search.group)}
      search={
        <SearchBox
          value={search.search ?? ''}
          placeholder={t('Name or address')}
          onChange={(text) => onChange({ search: text || undefined })}
        />
      }
    >
      <StatusField status={search.status} onChange={(status) => onChange({ status })} />
      <TagFilter search={search} onChange={onChange} />
    </Filters>
  )
}

function Line({
  site,
  onTag,
  chosen,
  onChoose,
}: { site: SiteRow; onTag: (tag: string) => void } & Partial<Choosing>) {
  const { id } = useTeam()
  const status = liveStatus(site)
  const isTrouble = status === 'down' || status === 'degraded' || status === 'maintenance'
  const cause = site.areas.find((area) => area.is_on && area.status === site.status)?.cause
  return (
    <li data-row className="flex items-start gap-3 px-4 py-3 hover:bg-sunken">
      {chosen && onChoose && (
        <span className="mt-1">
          <ChooseOne id={site.id} name={site.name} chosen={chosen} onChoose={onChoose} />
        </span>
      )}
      <span className="mt-1">
        <StatusMark status={status} size={18} />
      </span>
      <div className="grid min-w-0 flex-1 gap-x-6 gap-y-1.5 lg:grid-cols-[minmax(0,1fr)_10rem_9rem]">
        <div className="min-w-0">
          <div className="flex min-w-0 items-center gap-2">
            <Link
              to="/teams/$team/sites/$site"
              params={{ team: String(id), site: String(site.id) }}
              className="font-medium hover:underline max-md:line-clamp-2 max-md:break-words md:truncate md:block"
            >
              {site.name}
            </Link>
            <TagChips tags={site.tags} onPick={onTag} className="max-md:hidden" />
          </div>
          <span className="block text-sm break-all text-soft md:truncate">{site.url}</span>
          {isTrouble && (
            <span className={`block text-sm break-words ${statusColour(status)}`}>
              {cause ? asSentence(sayCause(cause)) : statusWord(status)} · <Since at={site.status_since} />
            </span>
          )}
          <div className="mt-1">
            <AreaMarks areas={site.areas} isPaused={!site.is_active} />
          </div>
        </div>
        <span className={`text-sm lg:text-right ${site.broken_links > 0 ? 'text-degraded' : 'text-soft'}`}>
          {sayLinks(site)}
        </span>
        <span className="text-sm text-soft lg:text-right">
          <NextLook at={nextLookOf(site.areas)} />
        </span>
      </div>
    </li>
  )
}

/** Of a site that no crawl has looked at, nothing is known. */
function sayLinks({ areas, broken_links: broken }: SiteRow): string {
  if (broken > 0) return t('{count, plural, one {# broken link} other {# broken links}}', { count: broken })
  const links = areas.find(({ area }) => area === 'links')
  if (!links?.is_on) return t('Links are off')
  return links.looked_at === null ? t('Not crawled yet') : t('No broken links')
}
