/** Every variable that the service reads, as docs/configuration.md lists them; tests compare the two, and the compose files. */
export const VARIABLES = [
  'PORT',
  'HOST',
  'SITE_URL',
  'DOCS_URL',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_CONNECTIONS',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'REGION',
  'ROLES',
  'PROBE_URL',
  'PROBE_TOKEN',
  'SMTP_URL',
  'MAIL_FROM',
  'PRIVATE_TARGETS',
  'PRIVATE_REDIRECTS',
  'DOCKER_SOCKETS',
  'BROWSER_PATH',
  'BROWSER_CHECKS',
  'TELEGRAM_API_URL',
  'PAGERDUTY_API_URL',
  'PUSHOVER_API_URL',
  'TWILIO_API_URL',
  'TRUST_PROXY',
  'SIGNUP',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
  'METRICS_TOKEN',
  'SECURITY_CONTACT',
  'STATUS_EXPORT_DIR',
  'PLANS_FILE',
  'NODE_EXTRA_CA_CERTS',
  'LOG_LEVEL',
] as const

export type Variable = (typeof VARIABLES)[number]

/** Variables of the system by which a program finds what it needs, and draws. */
const HANDED_ON =
  /^(PATH|LANG|LC_.*|TZ|LD_LIBRARY_PATH|FONTCONFIG_.*|XDG_DATA_DIRS|DYLD_.*|SystemRoot|windir|ComSpec)$/i

/** The variables that a program beside the service gets: none of its settings, which hold secrets. */
export function handedOn(environment: Record<string, string | undefined>) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => HANDED_ON.test(name)))
}

/** Shorter names have too many neighbours that mean something else: `HOST` and `POST`. */
const MIN_COMPARED_LENGTH = 6
/** From this length on two mistakes are taken for a slip, too. */
const LONG_NAME_LENGTH = 9
const PREFIX = 'UPBEAT_'

/**
 * Warnings about names that look like a misspelt variable, with what was probably meant: `SITE_ULR`, `site_url`,
 * `UPBEAT_SITE_URL`. Names that a variable of its own already has are left alone.
 */
export function misspelt(names: readonly string[]): string[] {
  const given = new Set(names)
  return names.flatMap((name) => {
    const meant = VARIABLES.find((variable) => isSlip(name, variable))
    if (meant === undefined || isKnown(name) || given.has(meant)) return []
    return [`${name} is no setting of Upbeat and is ignored: did you mean ${meant}?`]
  })
}

function isKnown(name: string): boolean {
  return VARIABLES.some((variable) => variable === name)
}

function isSlip(name: string, variable: Variable): boolean {
  if (variable.length < MIN_COMPARED_LENGTH) return false
  const said = name.toUpperCase()
  if (said === variable || said === PREFIX + variable) return true
  const allowed = variable.length >= LONG_NAME_LENGTH ? 2 : 1
  return Math.abs(said.length - variable.length) <= allowed && isWithin(allowed, said, variable)
}

/** Whether so few letters are inserted, removed, replaced or swapped with their neighbour (optimal string alignment). */
function isWithin(allowed: number, one: string, other: string): boolean {
  let before: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const replaced = (previous[column - 1] as number) + Number(!isSame)
      const moved = Math.min((previous[column] as number) + 1, (current[column - 1] as number) + 1)
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(replaced, moved, isSwap ? (before[column - 2] as number) + 1 : replaced)
    }
    ;[before, previous] = [previous, current]
    // A swap goes on from the row before; no later row gets below both. Most names end here, and there are many.
    if (Math.min(...previous) > allowed && Math.min(...before) >= allowed) return false
  }
  return (previous[other.length] as number) <= allowed
}
