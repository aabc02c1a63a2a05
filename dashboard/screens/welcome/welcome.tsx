import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import type { Monitor } from '../../../src/core/monitors/monitor.ts'
import { useMail, waysInQuestion } from '../../data/account.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { NoRoom } from '../monitors/monitor-new.tsx'
import { FirstContact, FirstTest } from './welcome-contact.tsx'
import { FirstCheck, FirstMonitor } from './welcome-monitor.tsx'
import { MAX_WELCOME_STEP, type WelcomeSearch } from './welcome-search.ts'

const STEPS = [t('Add a monitor'), t('Choose who gets alerted'), t('Send a test')] as const
const ALL_DONE = MAX_WELCOME_STEP

/** Sets up a first monitor with a tested alert, in three steps. The address says how far it is: a reload goes on there. */
export default function Welcome() {
  const { id, name, may } = useTeam()
  const { step: asked = 0, ...made } = useSearch({ from: '/signed-in/teams/$team/welcome' })
  const navigate = useNavigate({ from: '/teams/$team/welcome' })
  const queries = useQueryClient()
  const team = useQuery(question(id, 'getTeam', {}))
  const contacts = useQuery(question(id, 'listContacts', {}))
  const ways = useQuery(waysInQuestion)
  // One that is gone meanwhile counts as not made.
  const known = {
    monitor: useQuery({
      ...question(id, 'getMonitor', { id: made.monitor ?? 0 }),
      enabled: made.monitor !== undefined,
    }),
    contact: useQuery({
      ...question(id, 'getContact', { id: made.contact ?? 0 }),
      enabled: made.contact !== undefined,
    }),
    test: useQuery({
      ...question(id, 'getDelivery', { id: made.test ?? 0 }),
      enabled: made.test !== undefined,
    }),
  }
  const [typed, setTyped] = useState('')
  const say = useNotices()
  const params = { team: String(id) }

  if (!may('write')) {
    return (
      <Empty
        title={t('Welcome to {name}', { name })}
        action={
          <Link to="/teams/$team" params={params} className={buttonLook()}>
            {t('Go to overview')}
          </Link>
        }
      >
        {t('You have read-only access. An owner or admin can add monitors.')}
      </Empty>
    )
  }
  const isWaiting = known.monitor.isLoading || known.contact.isLoading
  if (!team.data || !contacts.data || ways.isPending || isWaiting) {
    const error = team.error ?? contacts.error
    return error ? <Trouble error={error} /> : <Waiting lines={8} />
  }
  const { data: facts } = team.data
  const teamContacts = contacts.data.data
  const monitor = known.monitor.data?.data ?? null
  const contact = known.contact.data?.data ?? null
  const step = asked === 2 && !contact ? 1 : asked
  const hasArrived = known.test.data?.data.state === 'sent'

  function move(search: WelcomeSearch) {
    void navigate({ search: (before) => ({ ...before, ...search }), replace: true, resetScroll: false })
  }

  /** The step that shows the monitor need not ask for it: it was just made. */
  function begin(created: Monitor, search: WelcomeSearch) {
    queries.setQueryData(question(id, 'getMonitor', { id: created.id }).queryKey, { data: created })
    void queries.invalidateQueries({ queryKey: [id, 'getTeam'] })
    setTyped(created.url ?? '')
    move({ ...search, monitor: created.id })
  }

  /** If the team has other contacts, attaches only the chosen one to the monitor. */
  async function choose(chosen: Contact) {
    const others = teamContacts.filter((contact) => contact.id !== chosen.id)
    try {
      if (monitor && others.length > 0) {
        const body = { notification_contact_ids: [chosen.id] }
        await ask(id, 'updateMonitor', { id: monitor.id, body })
      }
      queries.setQueryData(question(id, 'getContact', { id: chosen.id }).queryKey, { data: chosen })
      move({ step: 2, contact: chosen.id, test: undefined })
    } catch (error) {
      say.problem(error)
    }
  }

  return (
    <div className="mx-auto max-w-3xl">
      <PageHead
        title={t('Welcome to {name}', { name })}
        actions={
          step < 2 && (
            <Link to="/teams/$team" params={params} className={buttonLook('quiet')}>
              {t('Skip setup')}
            </Link>
          )
        }
      >
        {t('Watch a URL and check that alerts reach you. Takes about a minute.')}
      </PageHead>
      <ol className="flex flex-col gap-4">
        <Step
          index={0}
          current={step}
          onSkip={() => move({ step: 1 })}
          kept={
            monitor && (
              <FirstCheck
                key={monitor.id}
                team={id}
                monitor={monitor}
                onOther={(created) => begin(created, {})}
                onAgain={() => {
                  setTyped(monitor.url ?? '')
                  move({ step: undefined, monitor: undefined, contact: undefined, test: undefined })
                }}
              />
            )
          }
        >
          {facts.can_add_monitor || typed ? (
            <FirstMonitor team={facts} url={typed} onDone={(created) => begin(created, { step: 1 })} />
          ) : (
            <NoRoom team={facts} />
          )}
        </Step>
        <Step
          index={1}
          current={step}
          onSkip={() => move({ step: ALL_DONE, contact: undefined })}
          kept={contact && <AlertsGoTo monitor={monitor} chosen={contact} teamContacts={teamContacts} />}
        >
          <FirstContact team={id} contacts={teamContacts} onDone={(chosen) => void choose(chosen)} />
        </Step>
        <Step
          index={2}
          current={hasArrived ? ALL_DONE : step}
          onSkip={() => move({ step: ALL_DONE })}
          kept={
            contact &&
            step >= 2 &&
            (step === 2 || made.test !== undefined) && (
              <FirstTest
                key={contact.id}
                team={id}
                contact={contact}
                sent={made.test}
                onSent={(test) => move({ test })}
                onAgain={() => move({ step: 1, contact: undefined, test: undefined })}
              />
            )
          }
        />
      </ol>
      {step >= 2 && (
        <div className="mt-5 flex flex-wrap gap-2">
          <Link
            to="/teams/$team"
            params={params}
            className={buttonLook(hasArrived || step === ALL_DONE ? 'main' : 'plain')}
          >
            {t('Finish')}
          </Link>
          <Link to="/teams/$team/monitors/new" params={params} className={buttonLook('quiet')}>
            {t('Add another monitor')}
          </Link>
          {monitor && (
            <Link
              to="/teams/$team/monitors/$monitor"
              params={{ ...params, monitor: String(monitor.id) }}
              className={`${buttonLook('quiet')} min-w-0 shrink`}
            >
              <span className="min-w-0 truncate">{t('Open {name}', { name: monitor.name })}</span>
            </Link>
          )}
        </div>
      )}
    </div>
  )
}

/** A monitor without contacts of its own alerts every contact of the team. */
function AlertsGoTo({
  monitor,
  chosen,
  teamContacts,
}: {
  monitor: Monitor | null
  chosen: Contact
  teamContacts: Contact[]
}) {
  const hasMail = useMail()
  if (monitor) {
    return (
      <p>
        {t('Alerts about {monitor} go to {contact}.', { monitor: monitor.name, contact: chosen.name })}
        {monitor.status === 'down' && ` ${t('It is down already: the first alert is its recovery.')}`}
      </p>
    )
  }
  const all = teamContacts.some(({ id }) => id === chosen.id) ? teamContacts : [...teamContacts, chosen]
  const named = all.map(({ name, type }) =>
    type === 'email' && !hasMail ? t('{name} (not set up)', { name }) : name,
  )
  return <p>{t('Alerts go to every contact of the team: {names}.', { names: named.join(', ') })}</p>
}

/** A step: collapsed before its turn; afterward its result stays visible. */
function Step({
  index,
  current,
  onSkip,
  kept,
  children,
}: {
  index: number
  current: number
  onSkip?: () => void
  kept: ReactNode
  children?: ReactNode
}) {
  const isNow = index === current
  const isDone = index < current
  return (
    <li {...(isNow && { 'aria-current': 'step' })}>
      <Panel className={isNow ? 'border-accent' : ''}>
        <div className="flex min-h-12 items-center gap-3 px-4 py-2">
          <span
            className={`grid size-7 shrink-0 place-items-center rounded-full border font-medium ${isNow ? 'border-accent bg-accent text-on-accent' : 'border-line'}`}
          >
            {isDone && kept ? <Check aria-hidden size={16} /> : index + 1}
          </span>
          <h2 className={`flex-1 font-semibold ${isNow || kept ? '' : 'text-soft'}`}>
            {STEPS[index]}
            {isDone && <span className="sr-only">{kept ? t(', done') : t(', skipped')}</span>}
          </h2>
          {isNow && onSkip && (
            <Button tone="quiet" size="small" className="h-9" onClick={onSkip}>
              {t('Skip')}
            </Button>
          )}
        </div>
        {(isNow || kept) && (
          <div className="px-4 pb-4 sm:pl-14">
            {kept}
            {isNow && children}
          </div>
        )}
      </Panel>
    </li>
  )
}
