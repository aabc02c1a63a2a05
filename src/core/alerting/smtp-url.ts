import { isThisMachine } from '../this-machine.ts'

const TLS_MODES = ['required', 'opportunistic', 'off'] as const
const VERIFY = ['true', 'false'] as const

export const SMTP_URL_TAKES =
  'smtp://user:password@host:587 or smtps://…, optionally with ?tls=required|opportunistic|off and &verify=false; ' +
  'in a password # / ? @ and % are percent-encoded (# is %23)'

/** `rest` is the URL without the parameters that are read here. */
export type SmtpUrl = { rest: string; tls: (typeof TLS_MODES)[number]; verify: boolean }

/**
 * Reads the address of the mail server; null if it is none. Without `tls`, a login makes it required, because passwords
 * never cross a network in the clear. Without one it is opportunistic: whoever could forge a certificate could also
 * suppress STARTTLS, so certificates are not verified then (RFC 7435), and mail goes to relays of a local network.
 */
export function readSmtpUrl(value: string): SmtpUrl | null {
  const url = URL.parse(value)
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname) return null
  const isSecure = url.protocol === 'smtps:'
  const isNear = isThisMachine(url.hostname)
  const asked = url.searchParams.get('tls')
  const tls =
    asked === null ? (url.username && !isNear ? 'required' : 'opportunistic') : oneOf(TLS_MODES, asked)
  const verify = oneOf(
    VERIFY,
    url.searchParams.get('verify') ?? String((isSecure || tls === 'required') && !isNear),
  )
  if (tls === null || verify === null || (isSecure && asked !== null && tls !== 'required')) return null
  // The others stay as they are written: `searchParams` would encode them anew.
  const others = url.search
    .slice(1)
    .split('&')
    .filter((pair) => !/^(tls|verify)=/.test(pair))
  url.search = others.join('&')
  return { rest: url.href, tls, verify: verify === 'true' }
}

function oneOf<T extends string>(choices: readonly T[], value: string): T | null {
  return choices.find((choice) => choice === value) ?? null
}
