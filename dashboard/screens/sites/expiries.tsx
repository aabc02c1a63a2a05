import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { EXPIRY_LIST } from '../../../src/core/lists/expiry-list.ts'
import { changed, isFiltered, type SearchOf } from '../../../src/core/lists/search.ts'
import { MAX_PER_PAGE } from '../../../src/core/pagination.ts'
import type { Expiry } from '../../../src/core/sites/shown-site.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { LOCALE, rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { HeldArea, useHeldRows } from '../../parts/lists/held-list.tsx'
import { ListFilters } from '../../parts/lists/list-filters.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'
import { Time, useNow } from '../../parts/time.tsx'

type ExpirySearch = SearchOf<typeof EXPIRY_LIST>

const DAY_MS = 86_400_000
/** Closer than this it is marked. */
const SOON_DAYS = 30
const month = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric' })

/** When certificates and domains end, of sites and monitors, by months. */
export default function Expiries() {
  const { id } = useTeam()
  const search = useSearch({ from: '/signed-in/teams/$team/expiries' })
  const navigate = useNavigate({ from: '/teams/$team/expiries' })
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    ...question(id, 'listExpiries', { query: { ...search, per_page: MAX_PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
  const held = useHeldRows(data?.data, {
    keyOf,
    list: `${isPlaceholderData} ${JSON.stringify(search)}`,
    isFetching,
  })
  const months = [...Map.groupBy(held.rows, ({ at }) => month.format(new Date(at)))]
  const show = (change: ExpirySearch) =>
    void navigate({ search: changed<ExpirySearch>(change), replace: 'search' in change })
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title={t('Expiry dates')} actions={<ListMenu list="expiries" query={search} />}>
        {t('Certificates and domains of your sites, and certificates of your monitors.')}
      </PageHead>
      {error && !data ? (
        <Trouble error={error} within />
      ) : !data ? (
        <Panel>
          <Waiting lines={8} />
        </Panel>
      ) : data.meta.total === 0 && !isFiltered(EXPIRY_LIST, search) ? (
        <Panel>
          <Empty title={t('No dates yet')}>
            {t('They appear once a site or a monitor of an https address was checked.')}
          </Empty>
        </Panel>
      ) : (
        <>
          <ListFilters list={EXPIRY_LIST} search={search} onChange={show} fields={{}} />
          {months.length === 0 && (
            <Panel>
              <Empty
                title={t('No matching dates')}
                action={<Button onClick={() => void navigate({ search: {} })}>{t('Show all')}</Button>}
              >
                {t('Search covers the names of sites and monitors.')}
              </Empty>
            </Panel>
          )}
          <div className="flex flex-col gap-5">
            <HeldArea held={held}>
              <div className="flex flex-col gap-5">
                {months.map(([name, expiries]) => (
                  <Panel key={name} title={name} isStale={isPlaceholderData}>
                    <ul className="divide-y divide-line">
                      {expiries.map((expiry) => (
                        <Line key={keyOf(expiry)} expiry={expiry} />
                      ))}
                    </ul>
                  </Panel>
                ))}
              </div>
            </HeldArea>
            {data.meta.last_page > 1 && (
              <Panel>
                <Pages meta={data.meta} onPage={(page) => show({ page })} />
              </Panel>
            )}
          </div>
        </>
      )}
    </div>
  )
}

/** One that ends at another time stands elsewhere. */
function keyOf({ of, subject, subject_id, at }: Expiry): string {
  return `${of} ${subject} ${subject_id} ${at}`
}

const WORDS = {
  certificate: { monitor: t('Certificate of a monitor'), site: t('Certificate of a site') },
  domain: { monitor: t('Domain of a monitor'), site: t('Domain of a site') },
} as const satisfies Record<Expiry['of'], Record<Expiry['subject'], string>>

function Line({ expiry }: { expiry: Expiry }) {
  const leftDays = (Date.parse(expiry.at) - useNow()) / DAY_MS
  const colour = leftDays <= 0 ? 'text-down' : leftDays <= SOON_DAYS ? 'text-degraded' : 'text-soft'
  return (
    <li data-row className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5">
      <span className="min-w-0 flex-1 basis-56">
        <Subject expiry={expiry} />
        <span className="block text-sm text-soft">{WORDS[expiry.of][expiry.subject]}</span>
      </span>
      <span className={`text-sm sm:text-right ${colour}`}>
        <Time at={expiry.at} as="date" />
        <span className="block">
          {rich(leftDays <= 0 ? 'Ended {time}' : 'Ends {time}', { time: <Time at={expiry.at} /> })}
        </span>
      </span>
    </li>
  )
}

function Subject({ expiry: { subject, subject_id, name } }: { expiry: Expiry }) {
  const { id } = useTeam()
  const team = String(id)
  const look = 'block truncate font-medium hover:underline'
  return subject === 'site' ? (
    <Link to="/teams/$team/sites/$site" params={{ team, site: String(subject_id) }} className={look}>
      {name}
    </Link>
  ) : (
    <Link to="/teams/$team/monitors/$monitor" params={{ team, monitor: String(subject_id) }} className={look}>
      {name}
    </Link>
  )
}
