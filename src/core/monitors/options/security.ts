import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { said } from '../../language/said.ts'
import { type MonitorType, schemesOf, securitiesOf, usesSetting } from '../monitor-types.ts'
import { schemeOf } from '../target.ts'
import { SECURITIES, type Security } from '../types/entry.ts'
import type { Option } from './option.ts'

/** The options of TLS, where that is no matter of the protocol. */
export const SECURITY = {
  security: {
    schema: z.enum(SECURITIES),
    description:
      'How TLS begins: `auto` uses STARTTLS where the server offers it, `starttls` wants it, `implicit` begins with the first byte, `none` never. URLs of `smtps` and the like are `implicit`. `tcp`, `sip`, `grpc` and `redis` know `none`, their default, and `implicit`. For `postgresql` and `mysql`, `starttls` is TLS as their protocols begin it.',
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
    clashes: (value, { type, url }) =>
      value === 'implicit' || !impliesTls(type, url ?? '')
        ? []
        : [
            {
              at: [],
              message: said('must be `implicit` or left out: the scheme of the URL, {scheme}, says TLS', {
                scheme: schemeOf(url ?? ''),
              }),
            },
          ],
  },
} as const satisfies Record<string, Option>

/**
 * Whether the scheme of a URL says that TLS begins with the first byte, as that of `smtps://` does. A type that takes any scheme
 * reads nothing in it.
 */
function impliesTls(type: MonitorType, url: string): boolean {
  const scheme = schemeOf(url)
  return schemesOf(type)?.includes(scheme) === true && scheme === `${type}s`
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
  if (impliesTls(type, url)) return 'implicit'
  return options?.security ?? securitiesOf(type)[0] ?? 'none'
}

/** Whether checks of a monitor may see a certificate that is warned about. */
export function mayHaveCertificate({
  type,
  url,
  options,
}: {
  type: MonitorType
  url: string | null
  options: { security?: Security | undefined } | null
}): boolean {
  if (url === null || !usesSetting(type, 'ssl_expiry_warning_days')) return false
  return securitiesOf(type).length > 0
    ? securityOf({ type, url, options }) !== 'none'
    : /^(https|wss):/i.test(url)
}
