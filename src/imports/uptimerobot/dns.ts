import { said } from '../../core/language/said.ts'
import { asksNameServers } from '../../core/monitors/options/dns.ts'
import { type Expected, expected } from '../expectations.ts'
import { type Fields, isFields, textsOf } from '../fields.ts'
import { expectRecord, isRecordType, type OldQuestion } from '../options/dns.ts'
import type { Rule } from '../reasons.ts'

type OldRecords = { type: string; values: string[] }

/** The question of a monitor of the type DNS, and the records that must be among those of the answer. */
export function dnsFacts(monitor: Fields): { question: OldQuestion; expected: Expected[] } {
  const { type, values } = recordsOf(monitor).find((one) => isRecordType(one.type)) ?? ANY
  return {
    question: { recordType: type, servers: [] },
    expected: values.map((value) => expected(value, expectRecord(type, 'equals', [value]))),
  }
}

/** Without records it only resolves the name there. */
const ANY: OldRecords = { type: 'A', values: [] }

/** The types that have any. */
function recordsOf({ config }: Fields): OldRecords[] {
  const listed = isFields(config) && isFields(config.dnsRecords) ? config.dnsRecords : {}
  return Object.entries(listed)
    .map(([type, values]) => ({ type: type.toUpperCase(), values: textsOf(values) }))
    .filter(({ values }) => values.length > 0)
}

export const DNS_BLOCKERS: Rule[] = [
  [
    said('asks for records of a type that checks here do not ask for'),
    (monitor, type) => {
      const records = recordsOf(monitor)
      return asksNameServers(type) && records.length > 0 && !records.some((one) => isRecordType(one.type))
    },
  ],
]

export const DNS_DIFFERENCES: Rule[] = [
  [
    said('asked for records of several types: here it asks for the first, add a monitor for each other one'),
    (monitor, type) => asksNameServers(type) && recordsOf(monitor).length > 1,
  ],
]
