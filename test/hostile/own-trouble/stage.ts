/** Kinds of targets that are monitored beside public ones, and are reached without the cable that leads out. */
export const BESIDE = ['nothing', 'loopback', 'local network', 'internal names', 'all of these'] as const
export type Beside = (typeof BESIDE)[number]

/** Whether the public names that are monitored are each of a domain of their own. */
export type Domains = 'many' | 'one'

export type Family = 4 | 6

/** Which monitors are active. */
export type Stage = { beside: Beside; domains: Domains; hasSix: boolean }

/** Whether the system asks the name servers of the local network, which know names of their own. */
export function asksOffice({ beside }: Stage): boolean {
  return beside === 'internal names' || beside === 'all of these'
}

export function isSame(a: Stage, b: Stage): boolean {
  return a.beside === b.beside && a.domains === b.domains && a.hasSix === b.hasSix
}
