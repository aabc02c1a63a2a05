import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
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

const STEPS = [t('Add a monitor'), t('Choose who gets alerted'), t('Send a test')] as const
const ALL_DONE = STEPS.length

/** Sets up a first monitor with a tested alert, in three steps. */
export default function Welcome() {
  const { id, name, may } = useTeam()
  const team = useQuery(question(id, 'getTeam', {}))
  const contacts = useQuery(question(id, 'listContacts', {}))
  const ways = useQuery(waysInQuestion)
  const [step, setStep] = useState(0)
  const [monitor, setMonitor] = useState<Monitor | null>(null)
  const [typed, setTyped] = useState('')
  const [contact, setContact] = useState<Contact | null>(null)
  const say = useNotices()
  const params = { team: String(id) }
  const overview = (
    <Link to="/teams/$team" params={params} className={buttonLook('quiet')}>
      {step === ALL_DONE ? t('Go to overview') : t('Skip setup')}
    </Link>
  )

  if (!may('write')) {
    return (
      <Empty title={t('Welcome to {name}', { name })} action={overview}>
        {t('You have read-only access. An owner or admin can add monitors.')}
      </Empty>
    )
  }
  if (!team.data || !contacts.data || ways.isPending) {
    const error = team.error ?? contacts.error
    return error ? <Trouble error={error} /> : <Waiting lines={8} />
  }
  const { data: facts } = team.data
  const teamContacts = contacts.data.data
  const next = () => setStep((current) => current + 1)

  /** If the team has other contacts, attaches only the chosen one to the monitor. */
  async function choose(chosen: Contact) {
    const others = teamContacts.filter((contact) => contact.id !== chosen.id)
    try {
      if (monitor && others.length > 0) {
        const body = { notification_contact_ids: [chosen.id] }
        await ask(id, 'updateMonitor', { id: monitor.id, body })
      }
      setContact(chosen)
      next()
    } catch (error) {
      say.problem(error)
    }
  }

  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title={t('Welcome to {name}', { name })} actions={overview}>
        {t('Watch a URL and check that alerts reach you. Takes about a minute.')}
      </PageHead>
      <ol className="flex flex-col gap-4">
        <Step
          index={0}
          current={step}
          onSkip={() => setStep(1)}
          kept={
            monitor && (
              <FirstCheck
                team={id}
                monitor={monitor}
                onAgain={() => {
                  setMonitor(null)
                  setContact(null)
                  setStep(0)
                }}
              />
            )
          }
        >
          {facts.can_add_monitor || typed ? (
            <FirstMonitor
              team={facts}
              url={typed}
              onDone={(created) => {
                setTyped(created.url ?? '')
                setMonitor(created)
                next()
              }}
            />
          ) : (
            <NoRoom team={facts} />
          )}
        </Step>
        <Step
          index={1}
          current={step}
          onSkip={() => setStep(ALL_DONE)}
          kept={contact && <AlertsGoTo monitor={monitor} chosen={contact} teamContacts={teamContacts} />}
        >
          <FirstContact team={id} contacts={teamContacts} onDone={(chosen) => void choose(chosen)} />
        </Step>
        <Step
          index={2}
          current={step}
          kept={contact && step >= 2 && <FirstTest team={id} contact={contact} />}
          actions={
            step === 2 && (
              <Button size="small" className="h-9" onClick={next}>
                {t('Finish')}
              </Button>
            )
          }
        />
      </ol>
      {step >= 2 && (
        <div className="mt-5 flex flex-wrap gap-2">
          {monitor && (
            <Link
              to="/teams/$team/monitors/$monitor"
              params={{ ...params, monitor: String(monitor.id) }}
              className={buttonLook('main')}
            >
              {t('Open {name}', { name: monitor.name })}
            </Link>
          )}
          <Link to="/teams/$team/monitors/new" params={params} className={buttonLook()}>
            {t('Add another monitor')}
          </Link>
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
      <p>{t('Alerts about {monitor} go to {contact}.', { monitor: monitor.name, contact: chosen.name })}</p>
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
  actions,
  children,
}: {
  index: number
  current: number
  onSkip?: () => void
  kept: ReactNode
  actions?: ReactNode
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
          {actions}
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
