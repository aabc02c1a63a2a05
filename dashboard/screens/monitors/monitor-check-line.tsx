import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { CheckDetail } from '../../../src/core/history/monitor-report.ts'
import { MONITOR_TYPES } from '../../../src/core/monitors/monitor-types.ts'
import type { Checked } from '../../data/phases.ts'
import { t } from '../../language/language.ts'
import { sayMs } from '../../parts/figures.ts'
import { CheckAnswer } from '../../parts/monitors/check-answer.tsx'
import { PhaseBars } from '../../parts/monitors/phases.tsx'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { StepBars } from '../../parts/monitors/step-bars.tsx'
import { Time } from '../../parts/time.tsx'

/** A check as a row that opens to show its timing. */
export function CheckLine({ monitor, check, of }: { monitor: number; check: CheckDetail; of: Checked }) {
  const { isProbed } = MONITOR_TYPES[of.type]
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const cell = 'px-2 py-1'
  return (
    <>
      <tr className="border-t border-line first:border-t-0 hover:bg-sunken">
        {/* The longest status just fits beside the time on a narrow screen. */}
        <td className="py-1 pr-1 pl-2 sm:pr-2">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
            className="flex min-h-9 items-center gap-1 rounded pr-1 text-left"
          >
            <ChevronRight
              aria-hidden
              size={16}
              className={`shrink-0 text-soft ${isOpen ? 'rotate-90' : ''}`}
            />
            <Time at={check.checked_at} as="second" />
          </button>
        </td>
        <td className="px-1 py-1 sm:px-2">
          <StatusMark named status={check.status} />
        </td>
        {isProbed && (
          <>
            <td className={`${cell} pr-4 text-right whitespace-nowrap sm:pr-2`}>
              {sayMs(check.response_time_ms)}
            </td>
            <td className={`${cell} hidden text-right sm:table-cell`}>{check.http_status_code ?? '–'}</td>
          </>
        )}
        <td className={`${cell} hidden lg:table-cell`}>{check.region ?? '–'}</td>
        <td className={`${cell} hidden max-w-0 truncate md:table-cell`}>
          {check.error_message ?? check.note}
        </td>
      </tr>
      <tr id={id} hidden={!isOpen}>
        <td colSpan={6} className="bg-sunken/50 px-4 py-3">
          {isOpen && <Detail monitor={monitor} check={check} of={of} />}
        </td>
      </tr>
    </>
  )
}

function Detail({ monitor, check, of }: { monitor: number; check: CheckDetail; of: Checked }) {
  const said = [
    check.http_status_code !== null && `HTTP ${check.http_status_code}`,
    check.region !== null && t('from {region}', { region: check.region }),
  ].filter(Boolean)
  return (
    <div className="flex max-w-2xl flex-col gap-2">
      {check.error_message && <p className="break-words">{check.error_message}</p>}
      {check.note && <p className="break-words">{check.note}</p>}
      {said.length > 0 && <p className="text-sm text-soft">{said.join(', ')}</p>}
      {check.phases ? (
        <PhaseBars of={of} status={check.status} phases={check.phases} />
      ) : (
        !check.steps && <p className="text-sm text-soft">{t('No timing was measured.')}</p>
      )}
      {check.steps && <StepBars steps={check.steps} />}
      <CheckAnswer monitor={monitor} check={check} />
    </div>
  )
}
