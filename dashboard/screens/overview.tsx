import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell, BellOff } from 'lucide-react'
import { Fragment, lazy } from 'react'
import { formatDuration } from '../../src/core/duration.ts'
import type { Overview as OverviewData, RecentEvent } from '../../src/core/monitors/overview.ts'
import { LiveStatus, liveStatus, type StatusCounts } from '../../src/core/monitors/status.ts'
import { Trouble } from '../app/trouble.tsx'
import { useMail } from '../data/account.ts'
import { question } from '../data/ask.ts'
import { useTeam } from '../data/session.ts'
import { buttonLook } from '../parts/button.tsx'
import { LazyPart } from '../parts/lazy-part.tsx'
import { sayCount } from '../parts/locale.ts'
import { useWindows } from '../parts/maintenance/windows.ts'
import { InTrouble } from '../parts/monitors/in-trouble.tsx'
import { StatusMark, statusColour, statusWord } from '../parts/monitors/status.tsx'
import { Empty, PageHead, Panel, Waiting } from '../parts/panel.tsx'
import { Time } from '../parts/time.tsx'

const ServersInTrouble = lazy(() => import('./servers/servers-in-trouble.tsx'))
const SitesInTrouble = lazy(() => import('./sites/sites-in-trouble.tsx'))
const UnderMaintenance = lazy(() => import('./maintenance/under-maintenance.tsx'))

/** The first screen: problems first. */
export function Overview() {
  const { id } = useTeam()
  const { data, error } = useQuery(question(id, 'getOverview', {}))
  // A banner that came later would move all below it.
  const windows = useWindows(id)
  // Asked again after a failure, they are not waited for again: the overview would go and come with each attempt.
  const isPending = windows.isPending && windows.errorUpdateCount === 0
  if (error && !data) return <Trouble error={error} />
  if (!data || isPending) return <OverviewWaiting />
  const { counts, servers, sites } = data.data
  const total = totalOf(counts) + totalOf(servers.counts) + totalOf(sites.counts)
  return total === 0 ? <NothingYet /> : <Watched overview={data.data} />
}

function totalOf(counts: StatusCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

function Watched({ overview }: { overview: OverviewData }) {
  const { id } = useTeam()
  const team = String(id)
  const { counts, attention, servers, sites, events, failing_contacts, contacts_count } = overview
  const down = counts.down + servers.counts.down + sites.counts.down
  const title = down > 0 ? `${down} down` : 'All is well'
  const troubled = counts.down + counts.degraded + counts.pending
  return (
    <>
      <PageHead
        title={title}
        tab={`${title} · Overview`}
        actions={
          <Link to="/teams/$team/monitors" params={{ team }} className={buttonLook()}>
            All monitors
          </Link>
        }
      >
        {saySummary(counts)}
      </PageHead>
      <Maintenance />
      <Counts counts={counts} />
      <Alerting failing={failing_contacts} count={contacts_count} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-5">
          <Panel title="Needs attention">
            {attention.length === 0 ? (
              <p className="px-4 py-6 text-soft">
                Nothing right now. Monitors that are down, degraded or pending appear here, worst first.
              </p>
            ) : (
              <ul className="divide-y divide-line">
                {attention.map((item) => (
                  <Attention key={item.monitor.id} item={item} />
                ))}
              </ul>
            )}
            {troubled > attention.length && attention.length > 0 && (
              <p className="border-t border-line px-4 py-2.5 text-soft">
                and {troubled - attention.length} more –{' '}
                <Link to="/teams/$team/monitors" params={{ team }} className="underline">
                  show all
                </Link>
              </p>
            )}
          </Panel>
          {totalOf(servers.counts) > 0 && (
            <LazyPart waiting={<div aria-busy="true" className="min-h-32" />} failed={null}>
              <ServersInTrouble servers={servers} />
            </LazyPart>
          )}
          {totalOf(sites.counts) > 0 && (
            <LazyPart waiting={<div aria-busy="true" className="min-h-32" />} failed={null}>
              <SitesInTrouble sites={sites} />
            </LazyPart>
          )}
        </div>
        <Panel title="Recent events">
          {events.length === 0 ? (
            <p className="px-4 py-6 text-soft">No incidents yet. Outages and recoveries appear here.</p>
          ) : (
            <ol className="divide-y divide-line">
              {events.map((event) => (
                <Event key={`${event.incident_id} ${event.kind}`} event={event} />
              ))}
            </ol>
          )}
        </Panel>
      </div>
    </>
  )
}

/** Loaded only when something is under maintenance. */
function Maintenance() {
  const { id } = useTeam()
  const { data } = useWindows(id)
  if (!data?.data.some(({ current }) => current)) return null
  return (
    <LazyPart waiting={<div aria-busy="true" className="mb-5 min-h-14" />} failed={null}>
      <UnderMaintenance />
    </LazyPart>
  )
}

function saySummary({ down, degraded, maintenance }: StatusCounts): string | null {
  const planned =
    maintenance > 0 &&
    `${maintenance === 1 ? 'One monitor is failing' : `${maintenance} monitors are failing`} under maintenance.`
  const warned =
    down === 0 && degraded > 0 && `All ${planned ? 'others' : 'monitors'} pass, some with a warning.`
  return [planned, warned].filter(Boolean).join(' ') || null
}

/** The number of monitors by status; each links to their list. */
function Counts({ counts }: { counts: StatusCounts }) {
  const { id } = useTeam()
  return (
    <ul aria-label="Monitors by status" className="mb-5 grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
      {LiveStatus.options.map((status) => (
        <li key={status}>
          <Link
            to="/teams/$team/monitors"
            params={{ team: String(id) }}
            search={{ status }}
            className="flex items-center gap-3 rounded-lg border border-line bg-panel px-4 py-3 hover:bg-sunken"
          >
            <span className={counts[status] > 0 ? statusColour(status) : 'text-soft'}>
              <StatusMark status={status} size={20} />
            </span>
            <span>
              <span className="block text-xl leading-tight font-semibold">{sayCount(counts[status])}</span>
              <span className="block text-sm text-soft">{statusWord(status)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Attention({ item: { monitor, reason } }: { item: OverviewData['attention'][number] }) {
  const { id } = useTeam()
  return (
    <li data-row>
      <Link
        to="/teams/$team/monitors/$monitor"
        params={{ team: String(id), monitor: String(monitor.id) }}
        className="flex gap-3 px-4 py-3 hover:bg-sunken"
      >
        <InTrouble
          status={liveStatus(monitor)}
          name={monitor.name}
          reason={reason ?? monitor.target}
          since={monitor.status_since}
        />
      </Link>
    </li>
  )
}

function Event({ event }: { event: RecentEvent }) {
  const { id } = useTeam()
  const isEnd = event.kind === 'resolved'
  return (
    <li data-row>
      <Link
        to="/teams/$team/incidents/$incident"
        params={{ team: String(id), incident: String(event.incident_id) }}
        className="flex gap-3 px-4 py-2.5 hover:bg-sunken"
      >
        <span className="pt-0.5">
          <StatusMark status={isEnd ? 'up' : 'down'} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block break-words">
            {event.monitor_name} {isEnd ? 'recovered' : 'went down'}
          </span>
          <span className="block truncate text-sm text-soft">
            {isEnd && event.duration_seconds !== null
              ? `after ${formatDuration(event.duration_seconds)}`
              : event.cause}
          </span>
        </span>
        <span className="text-sm text-soft">
          <Time at={event.at} />
        </span>
      </Link>
    </li>
  )
}

/** Tells whether alerts arrive. Its height is always the same, so that new trouble moves nothing below it. */
function Alerting({ failing, count }: { failing: OverviewData['failing_contacts']; count: number }) {
  const isFailing = failing.length > 0
  const tone = isFailing ? 'border-down' : count === 0 ? 'border-degraded' : 'border-line'
  const Icon = isFailing || count === 0 ? BellOff : Bell
  return (
    <section
      aria-label="Alerts"
      className={`mb-5 flex min-h-18 items-center gap-2.5 rounded-lg border bg-panel px-4 py-2 sm:min-h-12 ${tone}`}
    >
      <Icon aria-hidden size={18} className={`shrink-0 ${isFailing ? 'text-down' : 'text-soft'}`} />
      <p className="line-clamp-2 min-w-0 sm:block sm:truncate">
        {isFailing ? <Failing contacts={failing} /> : count === 0 ? <NoContacts /> : sayTold(count)}
      </p>
    </section>
  )
}

function sayTold(count: number): string {
  return count === 1
    ? 'One contact gets alerts about outages.'
    : `${count} contacts get alerts about outages.`
}

function Failing({ contacts }: { contacts: OverviewData['failing_contacts'] }) {
  const { id } = useTeam()
  const isOne = contacts.length === 1
  return (
    <>
      <span className="font-medium text-down">
        {isOne ? 'Alerts to' : `Alerts to ${contacts.length} contacts are failing:`}
      </span>
      {contacts.map((contact) => (
        <Fragment key={contact.id}>
          {' '}
          <Link
            to="/teams/$team/contacts/$contact"
            params={{ team: String(id), contact: String(contact.id) }}
            className="underline"
            title={contact.detail}
          >
            {contact.name}
          </Link>{' '}
          {isOne && <span className="font-medium text-down">are failing </span>}
          <span className="text-soft">
            (<Time at={contact.failed_at} />
            ): {contact.detail}
          </span>
        </Fragment>
      ))}
    </>
  )
}

function NoContacts() {
  const { id, may } = useTeam()
  const hasMail = useMail()
  return (
    <>
      No one will be alerted about an outage.{!hasMail && ' E-mail is not set up.'}
      {may('write') && (
        <>
          {' '}
          <Link to="/teams/$team/contacts/new" params={{ team: String(id) }} className="underline">
            Add a contact
          </Link>
        </>
      )}
    </>
  )
}

function NothingYet() {
  const { id, may } = useTeam()
  return (
    <>
      <PageHead title="Overview" />
      <Panel>
        <Empty
          title="No monitors yet"
          action={
            may('write') && (
              <Link to="/teams/$team/welcome" params={{ team: String(id) }} className={buttonLook('main')}>
                Add your first monitor
              </Link>
            )
          }
        >
          {may('write')
            ? 'Enter a URL. Upbeat checks it at once, then every minute, and alerts you when it goes down.'
            : 'An owner or admin of this team can add the first monitor.'}
        </Empty>
      </Panel>
    </>
  )
}

function OverviewWaiting() {
  return (
    <>
      <PageHead title="Overview" />
      <Panel className="mb-5">
        <Waiting lines={2} />
      </Panel>
      <Panel>
        <Waiting lines={8} />
      </Panel>
    </>
  )
}
