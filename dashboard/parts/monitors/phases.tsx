import type { CheckDetail } from '../../../src/core/history/monitor-report.ts'
import { type Checked, type PhaseName, type Phases, phasesOf } from '../../data/phases.ts'
import { t } from '../../language/language.ts'
import { sayMs } from '../figures.ts'

const NAMES = {
  dns_ms: t('DNS lookup'),
  connect_ms: t('Connect'),
  tls_ms: t('TLS handshake'),
  first_byte_ms: t('First byte'),
  transfer_ms: t('Transfer'),
} as const satisfies Record<PhaseName, string>

/** The timing of a check: bars, each of which begins where the one before ended. */
export function PhaseBars({
  of,
  status,
  phases,
}: {
  of: Checked
  status: CheckDetail['status']
  phases: Phases
}) {
  const names = phasesOf(of, { status, phases })
  const whole = Math.max(
    1,
    names.reduce((sum, name) => sum + (phases[name] ?? 0), 0),
  )
  let begun = 0
  return (
    <ul className="flex flex-col gap-1.5" aria-label={t('Timing')}>
      {names.map((name) => {
        const ms = phases[name]
        const left = (begun / whole) * 100
        begun += ms ?? 0
        return (
          <li key={name} className="grid grid-cols-[7rem_minmax(0,1fr)_4.5rem] items-center gap-3 text-sm">
            <span className="text-soft">{NAMES[name]}</span>
            <span aria-hidden className="h-3 overflow-hidden rounded-sm bg-sunken">
              {ms !== null && (
                <span
                  className="block h-3 min-w-0.5 rounded-sm bg-accent"
                  style={{ marginLeft: `${Math.min(left, 99)}%`, width: `${(ms / whole) * 100}%` }}
                />
              )}
            </span>
            <span className="text-right">{ms === null ? <NotReached /> : sayMs(ms)}</span>
          </li>
        )
      })}
    </ul>
  )
}

function NotReached() {
  return (
    <span className="text-soft">
      <span aria-hidden>–</span>
      <span className="sr-only">{t('not reached')}</span>
    </span>
  )
}
