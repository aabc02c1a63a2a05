import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { formatDuration } from '../../../src/core/duration.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { SelectField } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'

/** Minutes that are offered; another that was set stays among them. */
const OFFERED = [5, 10, 15, 30, 60, 120, 240, 480, 1_440]

/** How often the team is reminded of what no one has acknowledged. */
export function Reminders() {
  const { id: team, may } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const settings = useQuery(question(team, 'getOnCallSettings', {}))
  const save = useMutation({
    mutationFn: (reminder_minutes: number | null) =>
      ask(team, 'updateOnCallSettings', { body: { reminder_minutes } }),
    onSuccess: async ({ data: saved }) => {
      say.done(
        saved.reminder_minutes === null
          ? t('Reminders are off.')
          : t('Reminders are on from the next incident.'),
      )
      await queries.invalidateQueries({ queryKey: [team, 'getOnCallSettings'] })
    },
  })
  return (
    <Panel title={t('Reminders')}>
      <Answered answer={settings} lines={1}>
        {({ data: { reminder_minutes: minutes } }) => (
          <div className="flex flex-col gap-3 p-4">
            {may('write') ? (
              <SelectField
                label={t('Remind while an incident is open and not acknowledged')}
                hint={t(
                  'Reminders go to the contacts that got the first alert. They pause during maintenance.',
                )}
                className="w-full max-w-md"
                value={minutes ?? ''}
                disabled={save.isPending}
                onChange={({ target }) => save.mutate(target.value === '' ? null : Number(target.value))}
              >
                <option value="">{t('Never')}</option>
                {choicesWith(minutes).map((choice) => (
                  <option key={choice} value={choice}>
                    {t('Every {duration}', { duration: formatDuration(choice * 60) })}
                  </option>
                ))}
              </SelectField>
            ) : (
              <p>{sayReminders(minutes)}</p>
            )}
            <Refused error={save.error} />
          </div>
        )}
      </Answered>
    </Panel>
  )
}

function choicesWith(minutes: number | null): number[] {
  return [...new Set([...OFFERED, ...(minutes === null ? [] : [minutes])])].sort((a, b) => a - b)
}

function sayReminders(minutes: number | null): string {
  if (minutes === null) return t('Reminders are off.')
  const duration = formatDuration(minutes * 60)
  return t('Every {duration} while an incident is open and not acknowledged.', { duration })
}
