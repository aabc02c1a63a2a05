import type { CheckDetail } from '../../../src/core/history/monitor-report.ts'
import type { Checked } from '../../data/phases.ts'
import { sayProblem } from '../../data/problem.ts'
import { Button, Spinner } from '../../parts/button.tsx'
import { sayMs } from '../../parts/figures.ts'
import { PhaseBars } from '../../parts/monitors/phases.tsx'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import type { useCheckNow } from './monitor-check-now.ts'

/** The check that a person has just requested. */
export function AskedCheck({ asked, of }: { asked: ReturnType<typeof useCheckNow>; of: Checked }) {
  if (asked.isIdle) return null
  return (
    <Panel
      title="Requested check"
      actions={
        !asked.isPending && (
          <Button size="small" onClick={() => asked.reset()}>
            Close
          </Button>
        )
      }
    >
      <div role="status" className="min-h-44 p-4">
        {asked.isPending && (
          <p className="flex items-center gap-2 text-soft">
            <Spinner /> Checking…
          </p>
        )}
        {asked.isError && <p className="text-down">{sayProblem(asked.error)}</p>}
        {asked.isSuccess && (asked.data ? <Outcome check={asked.data} of={of} /> : <NoneCame />)}
      </div>
    </Panel>
  )
}

function Outcome({ check, of }: { check: CheckDetail; of: Checked }) {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-lg">
          <StatusMark named status={check.status} />
          {check.response_time_ms !== null && <span>{sayMs(check.response_time_ms)}</span>}
          {check.http_status_code !== null && <span>HTTP {check.http_status_code}</span>}
        </p>
        <p className="mt-1 break-words">{check.error_message}</p>
        <p className="mt-1 text-soft">
          <Time at={check.checked_at} as="second" />
          {check.region && ` from ${check.region}`}
        </p>
      </div>
      {check.phases && <PhaseBars of={of} status={check.status} phases={check.phases} />}
    </div>
  )
}

function NoneCame() {
  return <p>No result within 30 seconds. It will appear in the checks below as soon as it arrives.</p>
}
