import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { formatDuration } from '../../../src/core/duration.ts'
import type { EscalationPolicy, PolicyStep } from '../../../src/core/on-call/policy.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { DryRunPanel } from '../../forms/on-call/dry-run-panel.tsx'
import { t } from '../../language/language.ts'
import { sayList } from '../../language/list.ts'
import { Button } from '../../parts/button.tsx'
import { useSchedules } from '../../parts/on-call/schedules.ts'
import { PageHead, Panel } from '../../parts/panel.tsx'
import { useAskFirst, useRecordAction } from '../../parts/records/record-action.tsx'
import { DeleteButton, EditLink } from '../../parts/records/record-buttons.tsx'
import { RecordScreen } from '../../parts/records/record-screen.tsx'
import { Row, Rows } from '../../parts/rows.tsx'
import { sayUse } from './policies-panel.tsx'

export default function PolicyScreen() {
  const { id: team } = useTeam()
  const { policy: named } = useParams({ from: '/signed-in/teams/$team/on-call/policies/$policy' })
  const policy = useQuery(question(team, 'getEscalationPolicy', { id: Number(named) }))
  return <RecordScreen record={policy}>{(shown) => <PolicyPage policy={shown} />}</RecordScreen>
}

function PolicyPage({ policy }: { policy: EscalationPolicy }) {
  const { id: team, may } = useTeam()
  const { name, repeats, repeat_every_minutes: every, tags } = policy
  return (
    <>
      <PageHead title={name} actions={may('write') && <PolicyActions policy={policy} />}>
        {t('Escalation policy')}
      </PageHead>
      <div className="flex flex-col gap-5">
        <Panel title={t('Steps')}>
          <Steps policy={policy} />
          <div className="flex flex-col gap-1 border-t border-line px-4 py-3 text-soft">
            <p>
              {repeats === 0
                ? t('The steps run once.')
                : t('The steps repeat every {duration}, {count, plural, one {once} other {# times}}.', {
                    duration: formatDuration(every * 60),
                    count: repeats,
                  })}
            </p>
            <p>{sayUse(policy)}</p>
            {tags.length > 0 && <p>{t('By tags: {tags}', { tags: tags.join(', ') })}</p>}
          </div>
        </Panel>
        <DryRunPanel team={team} chain={policy} />
      </div>
    </>
  )
}

function Steps({ policy: { steps } }: { policy: EscalationPolicy }) {
  const { id: team } = useTeam()
  const contacts = useQuery(question(team, 'listContacts', {})).data?.data ?? []
  const schedules = useSchedules(team).data?.data ?? []
  const whom = ({ contact_ids, schedule_id }: PolicyStep) => {
    if (schedule_id !== null) {
      const schedule = schedules.find(({ id }) => id === schedule_id)?.name
      return schedule === undefined ? t('A deleted schedule') : t('On call: {schedule}', { schedule })
    }
    const named = contacts.filter(({ id }) => contact_ids.includes(id)).map((contact) => contact.name)
    return named.length === 0 ? t('No contacts left: no one is alerted.') : sayList(named)
  }
  return (
    <Rows label={t('Steps')}>
      {steps.map((step, index) => (
        <Row key={step.after_minutes} title={t('Step {number}', { number: index + 1 })}>
          <p>
            {step.after_minutes === 0
              ? t('At once')
              : t('After {duration} without an acknowledgement', {
                  duration: formatDuration(step.after_minutes * 60),
                })}
          </p>
          <p className="text-base text-ink">{whom(step)}</p>
        </Row>
      ))}
    </Rows>
  )
}

function PolicyActions({ policy }: { policy: EscalationPolicy }) {
  const { id: team } = useTeam()
  return (
    <>
      <StartDrill policy={policy} />
      <EditLink
        to="/teams/$team/on-call/policies/$policy/edit"
        params={{ team: String(team), policy: String(policy.id) }}
      />
      <DeleteButton
        of="EscalationPolicy"
        record={policy}
        verb={t('Delete policy')}
        about={t(
          'Incidents of the monitors, servers and sites that use it are no longer escalated. Open incidents keep it.',
        )}
        to={{ to: '/teams/$team/on-call', params: { team: String(team) } }}
      />
    </>
  )
}

function StartDrill({ policy: { id, steps } }: { policy: EscalationPolicy }) {
  const { id: team } = useTeam()
  const navigate = useNavigate()
  const start = useRecordAction(() => ask(team, 'startDrill', { id }), {
    onDone: ({ data }) =>
      navigate({
        to: '/teams/$team/on-call/drills/$drill',
        params: { team: String(team), drill: String(data.id) },
      }),
  })
  const drill = useAskFirst(start, {
    title: t('Start a drill?'),
    verb: t('Start drill'),
    about: t(
      'Test alerts really go out to the people of {count, plural, one {the step} other {all # steps}}, 10 seconds apart. Each says that it is a drill.',
      { count: steps.length },
    ),
  })
  return (
    <>
      <Button size="small" tone="main" onClick={drill.ask}>
        {t('Start drill…')}
      </Button>
      {drill.question}
    </>
  )
}
