import type { CheckDetail } from '../../../src/core/history/monitor-report.ts'
import type { Checked } from '../../data/phases.ts'
import { t } from '../../language/language.ts'
import { sayMs } from '../figures.ts'
import { Time } from '../time.tsx'
import { PhaseBars } from './phases.tsx'
import { StatusMark } from './status.tsx'
import { StepBars } from './step-bars.tsx'

/** The result of one check, with its timing. */
export function CheckFound({ check, of }: { check: CheckDetail; of: Checked }) {
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
          {check.region && ` ${t('from {region}', { region: check.region })}`}
        </p>
      </div>
      {check.phases && <PhaseBars of={of} status={check.status} phases={check.phases} />}
      {check.steps && <StepBars steps={check.steps} />}
    </div>
  )
}
