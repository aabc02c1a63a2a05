import { type MonitorType, usesSetting } from '../core/monitors/monitor-types.ts'
import type { Fields } from './fields.ts'

/** A sentence about a monitor of another service, and the condition under which it applies. */
export type Rule = [sentence: string, applies: (monitor: Fields, type: MonitorType) => boolean]

export function sentencesOf(rules: Rule[], monitor: Fields, type: MonitorType): string[] {
  return rules.filter(([, applies]) => applies(monitor, type)).map(([sentence]) => sentence)
}

export function isWeb(type: MonitorType): boolean {
  return usesSetting(type, 'http_method')
}

/** Reasons that several services share. */
export const BY_PORT = 'a tcp monitor of its port comes nearest'
export const NO_DNS =
  'there are no monitors of DNS records: a site watches those of its name, in the dashboard'
export const NO_GRPC = `there are no monitors of gRPC: ${BY_PORT}`
export const NO_JSON = 'there are no monitors that read JSON: a keyword monitor comes nearest'
export const NO_UDP =
  'there are no monitors of UDP: a heartbeat that the service behind it pings comes nearest'
export const NO_WEBSOCKETS = `there are no monitors of WebSockets: ${BY_PORT}`
export const NO_BODY = 'sends a body with its request: checks here send none'
export const NO_OPTIONS = 'uses the method OPTIONS: checks here do not'
export const TRUSTS_ANY_CERTIFICATE =
  'ignored errors of the certificate: here they fail the check, unless NODE_EXTRA_CA_CERTS names its authority'
export const OWN_TELEGRAM = 'uses a Telegram server of its own: contacts here use api.telegram.org'

export function isOwnTelegram(server: string): boolean {
  return server !== '' && !/^https:\/\/api\.telegram\.org\/?$/.test(server)
}

/** The note for a webhook, whose receiver gets another payload. */
export function anotherJson(service: string): string {
  return `its receiver gets the JSON of this service (docs: Alerts), not that of ${service}`
}
