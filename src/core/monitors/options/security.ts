import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { type Said, said } from '../../language/said.ts'
import {
  type MonitorType,
  schemesOf,
  securitiesOf,
  securitiesOfScheme,
  usesSetting,
} from '../monitor-types.ts'
import { schemeOf } from '../target.ts'
import { SECURITIES, type Security } from '../types/entry.ts'
import type { Option } from './option.ts'

/** The options of TLS, where that is no matter of the protocol. */
export const SECURITY = {
  security: {
    schema: z.enum(SECURITIES),
    description:
      'How TLS begins: `auto` uses STARTTLS where the server offers it, `starttls` wants it, `implicit` begins with the first byte, `none` never. URLs of `smtps` and the like are `implicit`. `tcp`, `sip`, `grpc`, `redis` and `mongodb` know `none`, their default, and `implicit`. For `postgresql`, `mysql` and `sqlserver`, `starttls` is TLS as their protocols begin it.',
    group: 'connection',
    label: phrase('Encryption'),
    hint: phrase(
      'auto: STARTTLS where it is offered. starttls: in any case. implicit: TLS from the first byte, as a URL of smtps says it, too.',
    ),
    offers: securitiesOf,
    has: (type) => securitiesOf(type).length > 0,
    default: 'auto',
    faults: (type, value) =>
      value === null || securitiesOf(type).some((one) => one === value)
        ? []
        : [
            {
              at: [],
              message: said('must be {choices} for the type {type}', {
                choices: securitiesOf(type).join(' or '),
                type,
              }),
            },
          ],
    clashes: (value, { type, url }) => {
      const implied = impliedBy(type, url ?? '')
      return implied.length === 0 || implied.some((one) => one === value)
        ? []
        : [{ at: [], message: disagrees(implied, schemeOf(url ?? '')) }]
    },
  },
} as const satisfies Record<string, Option>

function disagrees(implied: readonly Security[], scheme: string): Said {
  const choices = implied.map((one) => `\`${one}\``).join(' or ')
  return said('must be {choices} or left out: the scheme of the URL, {scheme}, says TLS', { choices, scheme })
}

/**
 * How TLS may begin where the scheme of a URL says it, as that of `smtps://` does; empty where it says nothing. A type that takes any
 * scheme reads nothing in it.
 */
function impliedBy(type: MonitorType, url: string): readonly Security[] {
  return schemesOf(type) === null ? [] : securitiesOfScheme(type, schemeOf(url))
}

/** Whether and how TLS begins on the connection of a check. */
export function securityOf({
  type,
  url,
  options,
}: {
  type: MonitorType
  url: string
  options?: { security?: Security | undefined } | null | undefined
}): Security {
  const implied = impliedBy(type, url)
  const chosen = options?.security
  if (implied[0] !== undefined) return chosen !== undefined && implied.includes(chosen) ? chosen : implied[0]
  return chosen ?? securitiesOf(type)[0] ?? 'none'
}

/** Whether checks of a monitor may see a certificate that is warned about. */
export function mayHaveCertificate({
  type,
  url,
  options,
}: {
  type: MonitorType
  url: string | null
  options: { security?: Security | undefined; docker_host?: string | undefined } | null
}): boolean {
  if (url === null || !usesSetting(type, 'ssl_expiry_warning_days')) return false
  return securitiesOf(type).length > 0
    ? securityOf({ type, url, options }) !== 'none'
    : /^(https|wss):/i.test(options?.docker_host ?? url)
}
