import { useQuery } from '@tanstack/react-query'
import type { CheckDetail } from '../../../src/core/history/monitor-report.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Time } from '../time.tsx'
import { AnswerText } from './failing-answer.tsx'

/** The answer that failed a check, if one is kept; fetched when the check is opened. */
export function CheckAnswer({ monitor, check }: { monitor: number; check: CheckDetail }) {
  const failed = check.status === 'down' || check.status === 'maintenance'
  return failed && check.http_status_code !== null ? <Kept monitor={monitor} check={check} /> : null
}

function Kept({ monitor, check }: { monitor: number; check: CheckDetail }) {
  const { id: team } = useTeam()
  const asked = { id: monitor, query: { at: check.checked_at } }
  const kept = useQuery(question(team, 'getFailingAnswer', asked)).data?.data
  // The newest answer kept may be that of another failure.
  if (!kept || kept.http_status_code !== check.http_status_code) return null
  return (
    <section
      aria-label={t('The answer that failed')}
      className="flex flex-col gap-1 border-t border-line pt-2"
    >
      <h3 className="font-medium">{t('The answer that failed')}</h3>
      {kept.checked_at !== check.checked_at && (
        <p className="text-sm text-soft">
          {rich('From the check of {time}. While the answer stays the same, only the first one is kept.', {
            time: <Time at={kept.checked_at} as="second" />,
          })}
        </p>
      )}
      <AnswerText answer={kept.answer} />
    </section>
  )
}
