import { Link } from '@tanstack/react-router'
import { ChevronRight, Circle, CircleCheck } from 'lucide-react'
import { FIRST_STEPS, type FirstStep } from '../../../src/core/overview/first-steps.ts'
import { useTeam } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { ShownSteps } from './use-first-steps.ts'

/** `to`: where it is done; `seen`: where one sees what was done. */
const STEPS = {
  subject: {
    name: t('Add a monitor'),
    says: t('A URL, a job, a server or a whole site. It is checked at once.'),
    to: '/teams/$team/welcome',
    seen: '/teams/$team/monitors',
  },
  passed: {
    name: t('See a first check pass'),
    says: t('Until it does, the page of the monitor says what is wrong.'),
    to: '/teams/$team/monitors',
    seen: '/teams/$team/monitors',
  },
  contact: {
    name: t('Test a contact'),
    says: t('Send a test alert, and see whether it arrives.'),
    to: '/teams/$team/contacts',
    seen: '/teams/$team/contacts',
  },
  on_call: {
    name: t('Say who is on call'),
    says: t('A schedule or an escalation policy decides who is alerted next while no one reacts.'),
    to: '/teams/$team/on-call',
    seen: '/teams/$team/on-call',
  },
  status_page: {
    name: t('Make a status page'),
    says: t('It tells your visitors what works, and what you are doing about the rest.'),
    to: '/teams/$team/status-pages/new',
    seen: '/teams/$team/status-pages',
  },
  people: {
    name: t('Invite people'),
    says: t('Alerts and shifts can be shared.'),
    to: '/teams/$team/settings/members',
    seen: '/teams/$team/settings/members',
  },
} as const satisfies Record<FirstStep, object>

/** The way of a new team from nothing to alerts that arrive: each step leads to where it is done. */
export function FirstSteps({ done, onHide }: { done: NonNullable<ShownSteps['done']>; onHide?: () => void }) {
  const { id } = useTeam()
  const next = FIRST_STEPS.find((step) => !done[step])
  return (
    <Panel
      title={t('First steps')}
      actions={
        <>
          <span className="text-sm text-soft">
            {t('{count} of {total}', {
              count: FIRST_STEPS.filter((step) => done[step]).length,
              total: FIRST_STEPS.length,
            })}
          </span>
          {onHide && (
            <Button tone="quiet" size="small" onClick={onHide}>
              {rich('Hide<hidden> the first steps</hidden>', { hidden })}
            </Button>
          )}
        </>
      }
    >
      <ol className="divide-y divide-line">
        {FIRST_STEPS.map((step) => {
          const { name, says, to, seen } = STEPS[step]
          const isDone = done[step]
          const Icon = isDone ? CircleCheck : Circle
          return (
            <li key={step}>
              <Link
                to={isDone ? seen : to}
                params={{ team: String(id) }}
                className="flex min-h-14 items-center gap-3 px-4 py-2.5 hover:bg-sunken"
                {...(step === next && { 'aria-current': 'step' as const })}
              >
                <Icon
                  aria-hidden
                  size={20}
                  className={`shrink-0 ${isDone ? 'text-up' : step === next ? 'text-accent' : 'text-soft'}`}
                />
                <span className="min-w-0 flex-1">
                  <span className={`block font-medium ${isDone ? 'text-soft' : ''}`}>
                    {name}
                    <span className="sr-only">{isDone ? t(', done') : t(', to do')}</span>
                  </span>
                  {!isDone && <span className="block text-sm text-soft">{says}</span>}
                </span>
                <ChevronRight aria-hidden size={18} className="-mr-1 shrink-0 text-soft" />
              </Link>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
