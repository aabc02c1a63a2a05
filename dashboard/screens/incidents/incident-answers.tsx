import { useQuery } from '@tanstack/react-query'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { AnswerText } from '../../parts/monitors/failing-answer.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'

export function useIncidentAnswers(team: number, incident: number) {
  return useQuery(question(team, 'getIncidentAnswers', { id: incident }))
}

/** The answers of an incident: that of its first failing check, and the last one if it is another. */
export function IncidentAnswers({ incident }: { incident: number }) {
  const { id: team } = useTeam()
  const answers = useIncidentAnswers(team, incident).data?.data ?? []
  return answers.map(({ checked_at, answer }, index) => (
    <Panel
      key={checked_at}
      title={index === 0 ? t('The answer that failed') : t('The last other answer')}
      actions={
        <span className="text-sm text-soft">
          <Time at={checked_at} as="second" />
        </span>
      }
      className="min-w-0"
    >
      <div className="p-4">
        <AnswerText answer={answer} />
      </div>
    </Panel>
  ))
}
