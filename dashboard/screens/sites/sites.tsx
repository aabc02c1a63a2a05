import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Globe } from 'lucide-react'
import { Fragment } from 'react'
import type { SearchOf } from '../../../src/core/lists/search.ts'
import { SITE_LIST } from '../../../src/core/lists/site-list.ts'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import type { SiteRow } from '../../../src/core/sites/shown-site.ts'
import { asSentence } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { type Shown, SubjectList } from '../../parts/lists/subject-list.tsx'
import { FlappingFact, NameLine } from '../../parts/lists/subject-table.tsx'
import { StatusMark, statusColour, statusWord } from '../../parts/monitors/status.tsx'
import { Empty } from '../../parts/panel.tsx'
import { AreaMarks, NextLook, nextLookOf } from '../../parts/sites/area-marks.tsx'
import { sayReasons } from '../../parts/sites/finding-words.ts'
import { ChooseOne, type Choosing } from '../../parts/tags/choose.tsx'
import { ChosenBar } from '../../parts/tags/chosen-bar.tsx'
import { GroupLine } from '../../parts/tags/group-bar.tsx'
import { inGroups } from '../../parts/tags/in-groups.ts'
import { TagFilter } from '../../parts/tags/tag-filter.tsx'
import { Since } from '../../parts/time.tsx'
import { sitesQuestion } from './site-data.ts'

/** All sites of a team, a line each. */
export default function Sites() {
  const { id, may } = useTeam()
  const params = { team: String(id) }
  const search = useSearch({ from: '/signed-in/teams/$team/sites' })
  const navigate = useNavigate({ from: '/teams/$team/sites' })
  const useRows = (asked: typeof search, enabled: boolean) =>
    useQuery({ ...sitesQuestion(id, asked), enabled })
  const add = (label: string) =>
    may('write') && (
      <Link to="/teams/$team/sites/new" params={params} className={buttonLook('main')}>
        {label}
      </Link>
    )
  return (
    <SubjectList
      list={SITE_LIST}
      csv="sites"
      title={t('Sites')}
      search={search}
      onSearch={(search, options) => void navigate({ search, ...options })}
      useRows={useRows}
      actions={(isEmpty) => (
        <>
          <Link to="/teams/$team/expiries" params={params} className={buttonLook('quiet')}>
            {t('Expiry dates')}
          </Link>
          {!isEmpty && add(t('Add site'))}
        </>
      )}
      fields={(show) => ({ tags: <TagFilter search={search} onChange={show} /> })}
      chosenBar={(choice) => <ChosenBar kind="site" {...choice} />}
      noneYet={
        <Empty icon={Globe} title={t('No sites yet')} action={add(t('Add your first site'))}>
          {t(
            'A site is a whole website, monitored as one by its address: its home page, certificate, DNS, domain registration, links, mixed content and sitemap.',
          )}
          {!may('write') && ` ${t('An owner or admin of this team can add the first site.')}`}
        </Empty>
      }
      noMatch={{ title: t('No matching sites'), text: t('Search covers names and addresses.') }}
    >
      {(shown) => <Lines {...shown} />}
    </SubjectList>
  )
}

function Lines({
  rows,
  groups,
  search: { group },
  onTag,
  chosen,
  onChoose,
}: Shown<SearchOf<typeof SITE_LIST>, SiteRow>) {
  return (
    <ul aria-label={t('Sites')} className="divide-y divide-line">
      {inGroups(rows, group).map(({ row, begins }) => (
        <Fragment key={row.id}>
          {begins !== undefined && (
            <GroupLine
              tag={begins}
              groupKey={group ?? ''}
              group={groups?.find(({ tag }) => tag === begins)}
            />
          )}
          <Line site={row} onTag={onTag} {...(chosen && onChoose && { chosen, onChoose })} />
        </Fragment>
      ))}
    </ul>
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
  const cause = site.areas.find((area) => area.is_on && area.status === site.status)?.cause_said
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
          <NameLine
            row={site}
            to={{ to: '/teams/$team/sites/$site', params: { team: String(id), site: String(site.id) } }}
            onTag={onTag}
          />
          {/* In place of the address: a state that changes moves no line. */}
          <span
            className={`block truncate text-sm ${isTrouble ? statusColour(status) : 'text-soft'}`}
            title={site.url}
          >
            <FlappingFact row={site}>
              {isTrouble ? (
                <>
                  {cause?.length ? asSentence(sayReasons(cause)) : statusWord(status)} ·{' '}
                  <Since at={site.status_since} />
                </>
              ) : (
                site.url
              )}
            </FlappingFact>
          </span>
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

/** Nothing is known of a site that no crawl has looked at. */
function sayLinks({ areas, broken_links: broken }: SiteRow): string {
  if (broken > 0) return t('{count, plural, one {# broken link} other {# broken links}}', { count: broken })
  const links = areas.find(({ area }) => area === 'links')
  if (!links?.is_on) return t('Links are off')
  return links.looked_at === null ? t('Not crawled yet') : t('No broken links')
}
