import type { Plan, PlanName } from '../teams/plan.ts'
import type { FieldError } from '../validation.ts'
import type { MonitorCreate, MonitorPatch, MonitorType } from './monitor.ts'
import { urlFault } from './target.ts'

/** What the rules over several fields need to know besides the fields. */
export type RuleContext = {
  plan: Plan
  planName: PlanName
  /** Why policy refuses the address written in a URL; null when it does not. */
  refuseAddress: (url: string) => string | null
}

/** What a type has nothing to check without; a heartbeat waits to be called. */
export const NEEDED_FIELDS = {
  http: ['url'],
  keyword: ['url', 'expected_keyword'],
  ssl: ['url'],
  tcp: ['url', 'port'],
  icmp: ['url'],
  heartbeat: [],
} as const satisfies Record<MonitorType, readonly (keyof MonitorCreate)[]>

/** Rules of a POST: what each type needs, and what the plan allows. */
export function createRules(context: RuleContext) {
  return (fields: Partial<MonitorCreate>): FieldError[] => {
    const { type } = fields
    const faults = intervalFaults(fields, context)
    if (!type) return faults
    for (const field of NEEDED_FIELDS[type]) {
      const isMissing = fields[field] == null || (field === 'expected_keyword' && fields[field] === '')
      const when = field === 'url' ? 'unless the type is heartbeat' : `when the type is ${type}`
      if (isMissing) faults.push({ field, message: `is required ${when}` })
    }
    return [...faults, ...targetFaults(type, fields.url, context)]
  }
}

/** Rules of a PATCH on a monitor of `type`: only what is sent is judged. */
export function patchRules(type: MonitorType, context: RuleContext) {
  return (fields: Partial<MonitorPatch>): FieldError[] => {
    const faults = intervalFaults(fields, context)
    if (fields.type !== undefined && fields.type !== type) {
      faults.push({ field: 'type', message: `cannot change: this monitor is of type ${type}` })
    }
    if (type !== 'heartbeat' && fields.url === null) {
      faults.push({ field: 'url', message: 'cannot be null: only a heartbeat monitor may have none' })
    }
    if (type === 'keyword' && (fields.expected_keyword === null || fields.expected_keyword === '')) {
      faults.push({ field: 'expected_keyword', message: 'cannot be empty on a keyword monitor' })
    }
    if (type === 'tcp' && fields.port === null) {
      faults.push({ field: 'port', message: 'cannot be null on a tcp monitor' })
    }
    return [...faults, ...targetFaults(type, fields.url, context)]
  }
}

function intervalFaults(fields: Partial<MonitorPatch>, { plan, planName }: RuleContext): FieldError[] {
  const { check_interval_minutes: minutes, check_interval_seconds: seconds } = fields
  const faults: FieldError[] = []
  if (minutes !== undefined && minutes < plan.min_interval_minutes) {
    const message = `must be at least ${plan.min_interval_minutes} on the ${planName} plan, got ${minutes}`
    faults.push({ field: 'check_interval_minutes', message })
  }
  if (seconds != null && seconds < plan.min_interval_seconds) {
    const message = `must be at least ${plan.min_interval_seconds} on the ${planName} plan, got ${seconds}`
    faults.push({ field: 'check_interval_seconds', message })
  }
  return faults
}

function targetFaults(
  type: MonitorType,
  url: string | null | undefined,
  { refuseAddress }: RuleContext,
): FieldError[] {
  if (type === 'heartbeat' || url == null) return []
  const fault = urlFault(type, url)
  if (fault) return [{ field: 'url', message: fault }]
  const refusal = refuseAddress(url)
  return refusal ? [{ field: 'url', message: `is refused: ${refusal}` }] : []
}

/** Settings a probe reads: a change of one of them is worth a check at once. */
const PROBED_FIELDS = [
  'url',
  'http_method',
  'expected_status_codes',
  'expected_keyword',
  'port',
  'request_timeout_seconds',
  'request_headers',
  'username',
  'password',
  'ssl_expiry_warning_days',
] as const

export function changesProbe(patch: MonitorPatch): boolean {
  return PROBED_FIELDS.some((field) => patch[field] !== undefined)
}
