import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { CONTACT_TYPES } from '../../../src/core/alerting/contact-types.ts'
import { UNREACHED_WORDS } from '../../../src/core/on-call/response-words.ts'
import type { Drill } from '../../../src/core/on-call/shown-escalation.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { DeliveryMark } from '../../parts/alerting/delivery.tsx'
import { Button } from '../../parts/button.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { Row, Rows } from '../../parts/rows.tsx'
import { sayTime, Time } from '../../parts/time.tsx'

/** Steps are seconds apart: the page looks again this often while some are to come. */
const REFRESH_MS = 2_000

export default function DrillScreen() {
  const { id: team } = useTeam()
  const { drill: named } = useParams({ from: '/signed-in/teams/$team/on-call/drills/$drill' })
  const { data, error } = useQuery({
    ...question(team, 'getDrill', { id: Number(named) }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.data) ? REFRESH_MS : false),
  })
  if (data) return <DrillPage drill={data.data} />
  return error ? <Trouble error={error} /> : <Waiting lines={8} />
}

/** Whether a step is to come, or an alert on its way. */
function isUnderWay({ steps }: Drill): boolean {
  return steps.some(({ is_done, alerts }) => !is_done || alerts.some(({ state }) => state === 'pending'))
}

function DrillPage({ drill }: { drill: Drill }) {
  const { may } = useTeam()
  const { policy, started_at, acknowledgement, steps } = drill
  const isOpen = acknowledgement === null && Date.parse(drill.ends_at) > Date.now()
  return (
    <>
      <PageHead
        title={t('Drill of {policy}', { policy })}
        actions={may('write') && isOpen && <AcknowledgeDrill drill={drill} />}
      >
        {t('Started {time}. Every alert says that it is a drill: nothing is down.', {
          time: sayTime(started_at),
        })}
      </PageHead>
      <div className="flex flex-col gap-5">
        {acknowledgement && (
          <Panel>
            <p className="px-4 py-3 font-medium text-up">
              {t('Acknowledged by {person}: no more steps follow.', {
                person: acknowledgement.by ?? t('a former member'),
              })}
            </p>
          </Panel>
        )}
        <Panel title={t('Steps')}>
          {steps.length === 0 ? (
            <p className="px-4 py-3 text-soft">{t('It was acknowledged before the first step.')}</p>
          ) : (
            <Rows label={t('Steps')}>
              {steps.map((step) => (
                <StepLine key={step.number} step={step} />
              ))}
            </Rows>
          )}
        </Panel>
      </div>
    </>
  )
}

function StepLine({ step }: { step: Drill['steps'][number] }) {
  const { number, at, is_done, schedule, unreached, alerts } = step
  return (
    <Row title={t('Step {number}', { number })} actions={<Time at={at} as={is_done ? 'second' : 'ago'} />}>
      {schedule !== null && <p>{t('On call: {schedule}', { schedule })}</p>}
      {!is_done && <p>{t('Upcoming')}</p>}
      {unreached !== null && <p className="text-degraded">{t(UNREACHED_WORDS[unreached])}</p>}
      {alerts.length > 0 && (
        <ul className="mt-1 flex flex-col gap-1">
          {alerts.map((alert) => (
            <li key={`${alert.contact_name} ${alert.contact_type}`} className="flex flex-wrap gap-x-3">
              <span className="text-base text-ink">
                {t('{contact} ({type})', {
                  contact: alert.contact_name,
                  type: t(CONTACT_TYPES[alert.contact_type].wordInside),
                })}
              </span>
              <DeliveryMark state={alert.state} />
              {alert.state === 'failed' && alert.detail !== null && <span>{alert.detail}</span>}
            </li>
          ))}
        </ul>
      )}
    </Row>
  )
}

function AcknowledgeDrill({ drill: { id } }: { drill: Drill }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const take = useMutation({
    mutationFn: () => ask(team, 'acknowledgeDrill', { id, body: {} }),
    onSuccess: () => say.done(t('Acknowledged. No more steps follow.')),
    onError: say.problem,
    onSettled: () => void queries.invalidateQueries({ queryKey: [team, 'getDrill', id] }),
  })
  return (
    <Button tone="main" busy={take.isPending} onClick={() => take.mutate()}>
      {t('Acknowledge')}
    </Button>
  )
}
