import { ArrowRight, Bell, BellRing, Check, type LucideIcon, X } from 'lucide-react'
import { Fragment } from 'react'
import type { TeamConfirmation } from '../../../src/core/monitors/confirmation.ts'
import { t } from '../../language/language.ts'

type Step = { icon: LucideIcon; tone: string; label: string }

const FAILS = { icon: X, tone: 'text-down' }
const PASSES = { icon: Check, tone: 'text-up' }

/** The effect of these settings, as a picture and in a sentence, which screen readers read. */
export function ConfirmationPicture({ settings }: { settings: TeamConfirmation }) {
  const { confirmations, recovery_checks } = settings
  const failing: Step[] = [
    { ...FAILS, label: t('A check fails') },
    ...times(confirmations, { ...FAILS, label: t('fails too') }),
    { icon: BellRing, tone: 'text-down', label: t('Down') },
  ]
  const passing: Step[] = [
    { ...PASSES, label: t('A check passes') },
    ...times(recovery_checks - 1, { ...PASSES, label: t('passes too') }),
    { icon: Bell, tone: 'text-up', label: t('Up') },
  ]
  return (
    <div className="flex w-full flex-col gap-3 rounded-md border border-line bg-sunken p-3">
      <Steps steps={failing} />
      <Steps steps={passing} />
      <p className="text-sm text-soft">
        {sayFailure(confirmations)} {sayRecovery(recovery_checks)}
      </p>
    </div>
  )
}

function Steps({ steps }: { steps: Step[] }) {
  return (
    <div aria-hidden className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {steps.map(({ icon: Icon, tone, label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are the same at each place
        <Fragment key={index}>
          {index > 0 && <ArrowRight size={16} className="text-soft" />}
          <span className="inline-flex h-8 items-center gap-1.5 rounded border border-line bg-panel px-2 text-sm">
            <Icon size={16} className={tone} />
            {label}
          </span>
        </Fragment>
      ))}
    </div>
  )
}

function times(count: number, step: Step): Step[] {
  return Array.from({ length: count }, () => step)
}

function sayFailure(confirmations: number): string {
  if (confirmations === 0) return t('When a check fails, the monitor goes down and you are alerted at once.')
  if (confirmations === 1) {
    return t(
      'When a check fails, Upbeat makes another attempt at once. If it fails too, the monitor goes down and you are alerted. If it passes, so does the check, with a note about the failure.',
    )
  }
  return t(
    'When a check fails, Upbeat makes {count} more attempts at once. If they fail too, the monitor goes down and you are alerted. If one passes, so does the check, with a note about the failure.',
    { count: confirmations },
  )
}

function sayRecovery(checks: number): string {
  return checks === 1
    ? t('The monitor is up again at the first check that passes.')
    : t('The monitor is up again when {count} checks in a row have passed.', { count: checks })
}
