import type { MonitorType } from '../../core/monitors/monitor-types.ts'
import { asksNameServers } from '../../core/monitors/options/dns.ts'
import type { MonitorFacts } from '../draft-monitor.ts'
import { expected } from '../expectations.ts'
import { type Fields, numberOf, parseJson, recordsOf, textOf } from '../fields.ts'
import { expectRecord, isRecordType, type RecordLook } from '../options/dns.ts'

/** Conditions hold there if one of the records meets them. */
const LOOKS: Record<string, RecordLook> = {
  equals: 'equals',
  contains: 'contains',
  starts_with: 'starts_with',
  ends_with: 'ends_with',
}

/** The question of a monitor of the type `dns`, and what one of the records must be. */
export function dnsFacts(monitor: Fields): Pick<MonitorFacts, 'question' | 'expected'> {
  const recordType = recordTypeOf(monitor)
  const servers = textOf(monitor.dns_resolve_server)
    .split(/[\s,]+/)
    .filter(Boolean)
  const conditions = dnsConditionsOf(monitor) ?? []
  return {
    question: { recordType, servers, port: numberOf(monitor.port) },
    expected: conditions.map(({ look, value }) => expected(value, expectRecord(recordType, look, [value]))),
  }
}

export function recordTypeOf(monitor: Fields): string {
  return textOf(monitor.dns_resolve_type).toUpperCase() || 'A'
}

type Condition = { look: RecordLook; value: string }

/** The conditions on its records; null if one of them says what no assertion does. */
export function dnsConditionsOf(monitor: Fields): Condition[] | null {
  const conditions = recordsOf(parseJson(textOf(monitor.conditions)))
  const read = conditions.map(({ type, operator, value, andOr }, place): Condition | null => {
    const look = LOOKS[textOf(operator)]
    const isAlone = place === 0 || textOf(andOr) !== 'or'
    return textOf(type) === 'expression' && look && isAlone ? { look, value: textOf(value) } : null
  })
  const known = read.filter((condition) => condition !== null)
  return known.length === read.length && known.every(({ value }) => value !== '') ? known : null
}

/** Whether it asks for records that no check here asks for. */
export function asksUnknownRecords(monitor: Fields, type: MonitorType): boolean {
  return asksNameServers(type) && !isRecordType(recordTypeOf(monitor))
}
