import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ContactQuietHours, QuietHours } from '../../../src/core/alerting/quiet-hours.ts'
import { phrase } from '../../../src/core/language/phrase.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { QuietHoursForm } from '../../forms/alerting/quiet-hours-form.tsx'
import { rich, t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { sayHours } from '../../parts/on-call/layer-words.ts'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'

/** When a contact gets no alerts: what applies in words, whether it does now, and the form. */
export function ContactQuietHoursPanel({ contact }: { contact: number }) {
  const { id: team, may } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const asked = question(team, 'showContactQuietHours', { id: contact })
  const answer = useQuery(asked)
  return (
    <Panel title={t('Quiet hours')}>
      <Answered answer={answer} lines={2}>
        {({ data }) => (
          <div className="flex flex-col gap-4 p-4">
            <Applies quiet={data} />
            {may('write') && (
              <QuietHoursForm
                key={JSON.stringify(data.quiet_hours)}
                team={team}
                contact={contact}
                rule={data.quiet_hours}
                onDone={(changed) => {
                  queries.setQueryData(asked.queryKey, { data: changed })
                  say.done(changed.quiet_hours ? t('Quiet hours saved.') : t('Quiet hours are off.'))
                }}
              />
            )}
          </div>
        )}
      </Answered>
    </Panel>
  )
}

const SENTENCES = {
  hold: phrase('{hours} ({zone}): alerts wait until the hours end.'),
  drop: phrase('{hours} ({zone}): alerts are dropped, not sent later.'),
} as const satisfies Record<QuietHours['action'], string>

function Applies({ quiet: { quiet_hours: rule, quiet_until: until } }: { quiet: ContactQuietHours }) {
  if (rule === null) return <p>{t('None: alerts are sent at any time.')}</p>
  return (
    <div className="flex flex-col gap-1">
      <p>{t(SENTENCES[rule.action], { hours: sayHours(rule.hours), zone: rule.time_zone })}</p>
      {rule.except_down && <p>{t('Alerts about outages get through.')}</p>}
      <p className="text-soft">
        {until === null
          ? t('Quiet hours do not apply now.')
          : rich('Quiet hours apply now, until {time}.', { time: <Time at={until} as="date" /> })}
      </p>
    </div>
  )
}
