import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ContactTimeZone } from '../../../src/core/alerting/contact-zone.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { TimeZoneForm } from '../../forms/alerting/time-zone-form.tsx'
import { t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { Panel } from '../../parts/panel.tsx'

/** The zone in which alerts to a contact give times: what applies in words, and the form. */
export function ContactZonePanel({ contact }: { contact: number }) {
  const { id: team, may } = useTeam()
  const queries = useQueryClient()
  const asked = question(team, 'showContactTimeZone', { id: contact })
  const answer = useQuery(asked)
  return (
    <Panel title={t('Time zone')}>
      <Answered answer={answer} lines={2}>
        {({ data }) => (
          <div className="flex flex-col gap-4 p-4">
            <p>{sayZone(data)}</p>
            {may('write') && (
              <TimeZoneForm
                key={String(data.time_zone)}
                zone={data.time_zone}
                none={t("In the team's time zone ({zone})", { zone: data.team_time_zone ?? 'UTC' })}
                send={async (time_zone) =>
                  (await ask(team, 'updateContactTimeZone', { id: contact, body: { time_zone } })).data
                }
                onDone={(changed) => queries.setQueryData(asked.queryKey, { data: changed })}
              />
            )}
          </div>
        )}
      </Answered>
    </Panel>
  )
}

function sayZone({ time_zone: own, team_time_zone: ofTeam }: ContactTimeZone): string {
  if (own !== null) return t('Alerts to this contact give times in {zone}.', { zone: own })
  return t("Alerts to this contact give times in {zone}, the team's time zone.", { zone: ofTeam ?? 'UTC' })
}
