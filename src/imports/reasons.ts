import { about, type Said, said, WHOLE } from '../core/language/said.ts'
import { type MonitorType, usesSetting } from '../core/monitors/monitor-types.ts'
import type { Faults } from '../core/validation.ts'
import type { Fields } from './fields.ts'

/** A sentence about a monitor of another service, and the condition under which it applies. */
export type Rule = [sentence: Said, applies: (monitor: Fields, type: MonitorType) => boolean]

export function sentencesOf(rules: Rule[], monitor: Fields, type: MonitorType): Said[] {
  return rules.filter(([, applies]) => applies(monitor, type)).map(([sentence]) => sentence)
}

export function isWeb(type: MonitorType): boolean {
  return usesSetting(type, 'http_method')
}

/** Reasons that several services share. */
export const NO_OPTIONS = said('uses the method OPTIONS: checks here do not')
export const OWN_TELEGRAM = said('uses a Telegram server of its own: contacts here use api.telegram.org')

export function isOwnTelegram(server: string): boolean {
  return server !== '' && !/^https:\/\/api\.telegram\.org\/?$/.test(server)
}

/** The note for a webhook, whose receiver gets another payload. */
export function anotherJson(service: string): Said {
  return said('its receiver gets the JSON of this service (docs: Alerts), not that of {service}', { service })
}

export function alsoCovered(names: readonly string[]): Said {
  return said('also covered what did not come over: {names}', { names: names.join(', ') })
}

/** Tells a reason from what there is otherwise. */
export function isSaid(value: object): value is Said {
  return 'text' in value && 'values' in value
}

/** Several clauses as one. */
export function joined(clauses: readonly Said[]): Said {
  const [first = said('has no reason that is known'), ...more] = clauses
  return more.reduce((all, clause) => said('{all}; {clause}', { all, clause }), first)
}

/** The faults of a record, each with its field. */
export function faultOf(faults: Faults): Said {
  return joined(
    Object.entries(faults).flatMap(([field, broken]) =>
      broken.map((fault) => (WHOLE in fault.values ? fault : about(field, fault))),
    ),
  )
}
