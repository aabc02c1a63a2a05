import type { StepTiming } from '../../../src/core/monitors/steps/step-timing.ts'
import { t } from '../../language/language.ts'
import { sayMs } from '../figures.ts'
import { StatusMark } from './status.tsx'

const COLOURS = { up: 'bg-up', degraded: 'bg-degraded', down: 'bg-down', skipped: '' } as const

/** The steps of a check: bars, each of which begins where the step did. */
export function StepBars({ steps }: { steps: readonly StepTiming[] }) {
  const whole = Math.max(1, ...steps.map(({ start_ms, duration_ms }) => (start_ms ?? 0) + (duration_ms ?? 0)))
  return (
    <ol className="flex flex-col gap-1.5" aria-label={t('Timing of the steps')}>
      {steps.map(({ name, status, start_ms, duration_ms, http_status_code }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a check that is over never move
          key={index}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 text-sm sm:grid-cols-[9rem_minmax(0,1fr)_8rem]"
        >
          <span className="truncate" title={name}>
            {name}
          </span>
          <span
            aria-hidden
            className="col-span-2 row-start-2 h-3 overflow-hidden rounded-sm bg-sunken sm:col-span-1 sm:row-start-auto"
          >
            {start_ms !== null && duration_ms !== null && (
              <span
                className={`block h-3 min-w-0.5 rounded-sm ${COLOURS[status]}`}
                style={{
                  marginLeft: `${Math.min((start_ms / whole) * 100, 99)}%`,
                  width: `${(duration_ms / whole) * 100}%`,
                }}
              />
            )}
          </span>
          <span className="flex items-center justify-end gap-2 whitespace-nowrap">
            {status === 'skipped' ? (
              <span className="text-soft">{t('skipped')}</span>
            ) : (
              <>
                {status !== 'up' && <StatusMark status={status} />}
                {http_status_code !== null && <span className="text-soft">HTTP {http_status_code}</span>}
                {duration_ms !== null && <span>{sayMs(duration_ms)}</span>}
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}
