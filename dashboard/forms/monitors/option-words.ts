import { type Assertion, COMPARISONS, SOURCES } from '../../../src/core/expectations/assertion.ts'
import { checksOf, isOfSeveralChecks } from '../../../src/core/expectations/response-times.ts'
import type { GroupRule } from '../../../src/core/monitors/groups/group-state.ts'
import {
  type MonitorOptions,
  OPTION_NAMES,
  optionOf,
} from '../../../src/core/monitors/options/monitor-options.ts'
import type { OptionPart, TimeUnit } from '../../../src/core/monitors/options/option.ts'
import { maskedOptions } from '../../../src/core/monitors/options/secret-options.ts'
import { MASK } from '../../../src/core/teams/access.ts'
import { t } from '../../language/language.ts'
import { sayInterval } from '../../parts/figures.ts'
import { sayRule } from '../../parts/monitors/group-words.ts'

/** The options that are set, in one line, without their secrets: `Attempts before a check fails: 3 · Upside down`. */
export function sayOptions(all: MonitorOptions | null): string {
  const options = maskedOptions(all)
  return OPTION_NAMES.flatMap((name) => {
    const value: unknown = options?.[name]
    if (value === undefined || value === null) return []
    const label = t(optionOf(name).label)
    if (name === 'rule') return [`${label} ${sayRule(value as GroupRule)}`]
    if (name === 'members' && !Array.isArray(value))
      return [`${label}: ${(value as { tags: string[] }).tags.join(', ')}`]
    // Their names are no part of the options.
    if ((name === 'depends_on' || name === 'members') && Array.isArray(value))
      return [
        `${label}: ${t('{count, plural, one {# monitor} other {# monitors}}', { count: value.length })}`,
      ]
    if ((name === 'steps' || name === 'browser_steps') && Array.isArray(value))
      return [`${label}: ${(value as { name: string }[]).map((step) => step.name).join(', ')}`]
    const { parts, unit } = optionOf(name)
    if (unit) return [`${label}: ${sayInterval(Number(value) * UNIT_SECONDS[unit])}`]
    return [value === true ? label : `${label}: ${sayValue(value, parts)}`]
  }).join(' · ')
}

const UNIT_SECONDS = { seconds: 1, minutes: 60 } as const satisfies Record<TimeUnit, number>

/** A longer value is not said: what it is of is enough. */
const MAX_SAID = 60

function sayValue(value: unknown, parts: Parts = {}): string {
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (Array.isArray(value))
    return typeof value[0] === 'number' ? value.join(', ') : value.map(sayAssertion).join('; ')
  return typeof value === 'object' && value !== null ? sayParts(value, parts) : String(value)
}

type Parts = Readonly<Record<string, OptionPart>>

/** `Verify the certificate: No, Further authorities`. */
function sayParts(value: object, parts: Parts): string {
  return Object.entries(value)
    .map(([name, each]) => {
      const { label = name, choices } = parts[name] ?? {}
      const chosen = choices?.[String(each)]
      if (chosen !== undefined) return t(chosen)
      const isShort = String(each).length <= MAX_SAID && !String(each).includes('\n') && each !== MASK
      return isShort ? `${t(label)}: ${sayValue(each)}` : t(label)
    })
    .join(', ')
}

/** `JSON $.status equals ok`, `p95 in ms of the last 20 checks is less than 800`. */
export function sayAssertion({ source, property, comparison, target }: Assertion): string {
  const value = target === undefined ? '' : [target].flat().map(String).join(', ')
  const checks = isOfSeveralChecks({ source })
    ? t('of the last {count} checks', { count: checksOf({ property }) })
    : null
  return [t(SOURCES[source].word), checks ?? property, t(COMPARISONS[comparison].word), value]
    .filter(Boolean)
    .join(' ')
}
