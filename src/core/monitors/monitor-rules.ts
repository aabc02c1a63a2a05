import { phrase } from '../language/phrase.ts'
import { type Said, said, saidOf } from '../language/said.ts'
import type { Plan, PlanName } from '../teams/plan.ts'
import type { FieldError } from '../validation.ts'
import { belowPlan } from '../validation.ts'
import { MonitorCreate, type MonitorPatch, type MonitorSettings } from './monitor.ts'
import {
  dialsUrl,
  hasInterval,
  MonitorType,
  minIntervalSecondsOf,
  neededOptionsOf,
  neededSettings,
  needOf,
  type TypeSetting,
} from './monitor-types.ts'
import { mergeOptions, optionAddressFaults, optionClashes, optionFaults } from './options/monitor-options.ts'
import type { OptionAround } from './options/option.ts'
import { urlFault, urlsOfHosts } from './target.ts'
import type { Need } from './types/entry.ts'

export type RuleContext = {
  plan: Pick<Plan, 'min_interval_minutes' | 'min_interval_seconds'>
  planName: PlanName
  /** The reason why policy refuses the address in a URL; null if it is allowed. */
  refuseAddress: (url: string) => string | null
  /** The programs that checks of some types need, and that this service does not have. */
  lacks?: readonly Need[]
}

/** Rules of a POST: the settings that the type needs and the limits of the plan. */
export function createRules(context: RuleContext) {
  return (fields: Partial<MonitorCreate>): FieldError[] => {
    const { type } = fields
    const faults = intervalFaults(fields, context)
    if (!type) return faults
    faults.push(...needFaults(type, context), ...paceFaults(type, fields))
    for (const field of neededSettings(type))
      if (isMissing(field, fields[field])) faults.push({ field, message: missingFault(type, field) })
    const sent: Record<string, unknown> = fields.options ?? {}
    for (const name of neededOptionsOf(type))
      if (isNothing(sent[name] ?? null))
        faults.push({
          field: `options.${name}`,
          message: said('is required when the type is {type}', { type }),
        })
    faults.push(...targetFaults(type, fields.url, context))
    if (!fields.options) return faults
    return [
      ...faults,
      ...optionFaults(type, fields.options),
      ...optionAddressFaults(fields.options, context.refuseAddress),
      ...optionClashes(mergeOptions(null, fields.options), aroundOptions(type, fields, null)),
    ]
  }
}

type Stored = Pick<MonitorSettings, 'url' | 'username' | 'options'>

/** Rules of a PATCH on a monitor of `type`, for the fields that were sent. `stored` are settings of it, where it is known. */
export function patchRules(type: MonitorType, context: RuleContext, stored: Stored | null = null) {
  return (fields: Partial<MonitorPatch>): FieldError[] => {
    const faults = [...intervalFaults(fields, context), ...paceFaults(type, fields)]
    if (fields.type !== undefined && fields.type !== type) {
      faults.push({ field: 'type', message: said('cannot change: this monitor is of type {type}', { type }) })
    }
    for (const field of neededSettings(type)) {
      const isCleared = fields[field] !== undefined && isMissing(field, fields[field])
      if (isCleared) faults.push({ field, message: clearedFault(type, field) })
    }
    const options = mergeOptions(stored?.options ?? null, fields.options)
    const sent: Record<string, unknown> = fields.options ?? {}
    for (const name of neededOptionsOf(type))
      if (fields.options === null || isNothing(sent[name]))
        faults.push({
          field: `options.${name}`,
          message: said('cannot be null on a {type} monitor', { type }),
        })
    return [
      ...faults,
      ...targetFaults(type, fields.url, context),
      ...optionFaults(type, fields.options),
      ...optionAddressFaults(fields.options, context.refuseAddress),
      ...optionClashes(options, aroundOptions(type, fields, stored)),
    ]
  }
}

function aroundOptions(
  type: MonitorType,
  { url, username }: Partial<MonitorPatch>,
  stored: Stored | null,
): OptionAround {
  return {
    type,
    url: (url === undefined ? stored?.url : url) ?? null,
    username: (username === undefined ? stored?.username : username) ?? null,
  }
}

/** Null, or a list without entries. Undefined is what was not sent. */
function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

/** In the words of the specification: nobody comes to a type without an interval by a URL. */
const TYPES_WITHOUT_URL = MonitorType.options
  .filter((type) => !neededSettings(type).includes('url') && hasInterval(type))
  .join(' or ')

/** An empty URL does not count as missing, because its format error says more. */
function isMissing(field: TypeSetting, value: unknown): boolean {
  return value == null || (field !== 'url' && value === '')
}

function missingFault(type: MonitorType, field: TypeSetting): Said {
  return field === 'url'
    ? said('is required unless the type is {types}', { types: TYPES_WITHOUT_URL })
    : said('is required when the type is {type}', { type })
}

function clearedFault(type: MonitorType, field: TypeSetting): Said {
  if (field === 'url')
    return said('cannot be null: only a {types} monitor may have none', { types: TYPES_WITHOUT_URL })
  const isText = MonitorCreate.shape[field].safeParse('').success
  return isText
    ? said('cannot be empty on a {type} monitor', { type })
    : said('cannot be null on a {type} monitor', { type })
}

function intervalFaults(
  { check_interval_minutes: minutes, check_interval_seconds: seconds }: Partial<MonitorPatch>,
  { plan, planName }: RuleContext,
): FieldError[] {
  return [
    ...belowPlan('check_interval_minutes', plan.min_interval_minutes, { got: minutes, plan: planName }),
    ...belowPlan('check_interval_seconds', plan.min_interval_seconds, { got: seconds, plan: planName }),
  ]
}

function needFaults(type: MonitorType, { lacks = [] }: RuleContext): FieldError[] {
  const need = needOf(type)
  return need !== null && lacks.includes(need) ? [{ field: 'type', message: saidOf(LACKING[need]) }] : []
}

/** Why a type cannot be chosen at a service that lacks what its checks need. */
export const LACKING = {
  browser: phrase(
    'needs a browser, and this service has none: its operator names the program of a Chromium in BROWSER_PATH',
  ),
} as const satisfies Record<Need, string>

/** Types may have a shortest interval of their own. */
function paceFaults(type: MonitorType, { check_interval_seconds: got }: Partial<MonitorPatch>): FieldError[] {
  const min = minIntervalSecondsOf(type)
  if (min === null || got == null || got >= min) return []
  const message = said('must be at least {min} when the type is {type}, got {got}', { min, type, got })
  return [{ field: 'check_interval_seconds', message }]
}

function targetFaults(
  type: MonitorType,
  url: string | null | undefined,
  { refuseAddress }: RuleContext,
): FieldError[] {
  if (url == null || !neededSettings(type).includes('url')) return []
  const fault = urlFault(type, url)
  if (fault) return [{ field: 'url', message: fault }]
  // A name that is only asked for may lead anywhere.
  const [refusal] = dialsUrl(type) ? urlsOfHosts(url).flatMap((one) => refuseAddress(one) ?? []) : []
  return refusal ? [{ field: 'url', message: said('is refused: {reason}', { reason: refusal }) }] : []
}
