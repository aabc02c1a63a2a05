import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { isOfSeveralChecks } from '../../../src/core/expectations/response-times.ts'
import type { MonitorType } from '../../../src/core/monitors/monitor.ts'
import { plainUrlAfter } from '../../../src/core/monitors/target.ts'
import {
  TRIAL_MARGIN_MS,
  TRIAL_TAKEN_WITHIN_MS,
  type Trial,
  type TrialBody,
} from '../../../src/core/probing/trial.ts'
import { ask } from '../../data/ask.ts'
import { sayProblem } from '../../data/problem.ts'
import { t } from '../../language/language.ts'
import { Button, Spinner } from '../../parts/button.tsx'
import { CheckFound } from '../../parts/monitors/check-found.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { Draft } from '../draft.ts'
import type { Form } from '../use-form.ts'
import { TestedAnswer } from './answer-tree.tsx'
import { rowsIn } from './assertion-draft.ts'

const POLL_MS = 400

/** The settings of a form to try, and the form as it was then. */
type Tried = { body: Record<string, unknown>; type: MonitorType; draft: Draft }

type TrialOutcome = { tried: Tried; found: Trial['check']; isUntaken: boolean }

/** Checks once with settings that are not saved, and resolves with the result. */
export function useTrial(team: number) {
  const gone = useRef<AbortController>(null)
  useEffect(() => () => gone.current?.abort(), [])
  return useMutation({
    mutationFn: async (tried: Tried): Promise<TrialOutcome> => {
      gone.current?.abort()
      gone.current = new AbortController()
      // The service judges the settings; the form has done so before.
      const { data } = await ask(team, 'testMonitorSettings', { body: tried.body as TrialBody })
      return { tried, ...(await resultOf(team, data.id, tried, gone.current.signal)) }
    },
  })
}

async function resultOf(team: number, id: number, { body }: Tried, signal: AbortSignal) {
  const askedMs = performance.now()
  const longestMs = Number(body.request_timeout_seconds ?? 0) * 1_000 + TRIAL_MARGIN_MS
  let isUntaken = true
  while (!signal.aborted) {
    const { state, check } = (await ask(team, 'getMonitorTrial', { query: { id } })).data
    isUntaken &&= state === 'waiting'
    const waitedMs = performance.now() - askedMs
    if (state === 'done') return { found: check, isUntaken }
    if (state === 'gone' || waitedMs > (isUntaken ? TRIAL_TAKEN_WITHIN_MS : longestMs)) break
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return { found: null, isUntaken }
}

/** The result of a test of the form, or that it is under way; nothing before the first. */
export function TrialPanel({
  trial,
  type,
  form,
  onPlain,
}: {
  trial: ReturnType<typeof useTrial>
  type: MonitorType
  form: Form
  /** Gets the URL with http in place of https, which may have been meant. */
  onPlain: (url: string) => void
}) {
  if (trial.isIdle) return null
  return (
    <Panel
      title={t('Test')}
      actions={
        !trial.isPending && (
          <Button size="small" onClick={() => trial.reset()}>
            {t('Close')}
          </Button>
        )
      }
    >
      <div role="status" className="flex min-h-44 flex-col gap-3 p-4">
        {trial.isPending && (
          <p className="flex items-center gap-2 text-soft">
            <Spinner /> {t('Checking with these settings…')}
          </p>
        )}
        {trial.isError && <p className="text-down">{sayProblem(trial.error)}</p>}
        {trial.isSuccess && <Outcome outcome={trial.data} type={type} form={form} onPlain={onPlain} />}
      </div>
    </Panel>
  )
}

function Outcome({
  outcome: { tried, found, isUntaken },
  type,
  form,
  onPlain,
}: {
  outcome: TrialOutcome
  type: MonitorType
  form: Form
  onPlain: (url: string) => void
}) {
  if (!found) return <p>{isUntaken ? UNTAKEN : LOST}</p>
  const { answer, ...check } = found
  const plain = plainUrlAfter(String(tried.body.url ?? ''), check)
  const isOther = tried.draft !== form.draft || tried.type !== type
  return (
    <>
      {isOther && <p className="text-soft">{t('You have changed the form since this test.')}</p>}
      <CheckFound check={check} of={{ type: tried.type, target: String(tried.body.url ?? '') }} />
      {plain !== null && !isOther && (
        <Button size="small" className="max-w-full self-start" onClick={() => onPlain(plain)}>
          <span className="min-w-0 truncate">{t('Use {url}', { url: plain })}</span>
        </Button>
      )}
      {answer && (
        <div className="flex flex-col gap-1 border-t border-line pt-2">
          <h3 className="font-medium">
            {check.status === 'down' ? t('The answer that failed') : t('The answer')}
          </h3>
          <TestedAnswer answer={answer} type={type} form={form} />
        </div>
      )}
      {rowsIn(tried.draft['options.assertions']).some(isOfSeveralChecks) && (
        <p className="text-soft">
          {t('The 95th percentile is of several checks: a test of one does not judge it.')}
        </p>
      )}
      <p className="text-sm text-soft">{t('Nothing was saved, recorded or sent.')}</p>
    </>
  )
}

const UNTAKEN = t(
  'No process of this service has taken on the test. The service may be restarting, or only remote probes check: they make no tests.',
)
const LOST = t('No result arrived in time. Try again.')
