import type { CheckResult } from '../core/monitors/check.ts'
import type { ProbedType } from '../core/monitors/monitor-types.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'

/**
 * Looks once, within the monitor's own time limit. Expected failures are results; only bugs throw. When the signal
 * aborts, the result is `pending`.
 */
export type Probe<Type extends ProbedType> = (
  settings: ProbeSettings<Type>,
  signal: AbortSignal,
) => Promise<CheckResult>
