import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { phrase } from '../../../src/core/language/phrase.ts'
import {
  DIAGNOSIS_SECTIONS,
  type DiagnosisFound,
  diagnosisText,
  type ShownDiagnosis,
} from '../../../src/core/monitors/incidents/diagnosis.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'

const POLL_MS = 1_000

/** Why the monitor of an incident is down, as far as the service could see; to copy, and to collect anew. */
export function IncidentDiagnosis({ incident, resolved }: { incident: number; resolved: boolean }) {
  const { id: team, may } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const asked = question(team, 'getIncidentDiagnosis', { id: incident })
  const { data } = useQuery({
    ...asked,
    refetchInterval: ({ state }) => (isAwaited(state.data?.data) ? POLL_MS : false),
  })
  const diagnose = useMutation({
    mutationFn: () => ask(team, 'diagnoseIncident', { id: incident }),
    onSuccess: (answer) => queries.setQueryData(asked.queryKey, answer),
    onError: say.problem,
  })
  const diagnosis = data?.data
  if (!diagnosis) return null
  const mayAsk = may('write') && !resolved
  // One that was never asked for, and cannot be any more, is nothing to read.
  if (!mayAsk && diagnosis.state === 'none') return null
  const { found, ended_at: endedAt } = diagnosis
  const busy = diagnose.isPending || isAwaited(diagnosis)
  return (
    <Panel
      title={t('Diagnosis')}
      actions={
        <div className="flex flex-wrap items-center gap-2">
          {endedAt && (
            <span className="text-sm text-soft">
              <Time at={endedAt} as="second" />
            </span>
          )}
          {found && (
            <CopyButton text={diagnosisText(found, (heading) => t(heading))} label={t('Diagnosis')} />
          )}
          {mayAsk && (
            <Button tone="quiet" busy={busy} onClick={() => diagnose.mutate()}>
              {t('Diagnose now')}
            </Button>
          )}
        </div>
      }
      className="min-w-0"
    >
      <div className="flex flex-col gap-3 p-4">
        <p role="status" className="text-sm text-soft empty:hidden">
          {STATE_WORDS[diagnosis.state] && t(STATE_WORDS[diagnosis.state] as string)}
        </p>
        {found && <Found found={found} />}
      </div>
    </Panel>
  )
}

function isAwaited(diagnosis: ShownDiagnosis | undefined): boolean {
  return diagnosis?.state === 'waiting' || diagnosis?.state === 'collecting'
}

const STATE_WORDS: Record<ShownDiagnosis['state'], string | null> = {
  none: phrase('Nothing has been collected yet.'),
  waiting: phrase('It is about to be collected.'),
  collecting: phrase('It is being collected.'),
  done: null,
  missed: phrase('It was not collected in time: no process was free, or the monitor was paused meanwhile.'),
  paused: phrase('It is not collected: the monitor is paused, and nothing is sent to its target.'),
}

function Found({ found }: { found: DiagnosisFound }) {
  const { summary, region, sections } = found
  return (
    <>
      <p className="font-medium break-words">{summary}</p>
      {region && <p className="text-sm text-soft">{t('Seen from {region}', { region })}</p>}
      {sections.map(({ name, lines }) => (
        <section key={name} className="min-w-0" aria-label={t(DIAGNOSIS_SECTIONS[name])}>
          <h3 className="text-sm font-medium">{t(DIAGNOSIS_SECTIONS[name])}</h3>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
            tabIndex={0}
            className="max-h-96 overflow-auto font-mono text-sm whitespace-pre-wrap break-words"
          >
            {lines.join('\n')}
          </pre>
        </section>
      ))}
    </>
  )
}
