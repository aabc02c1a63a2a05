import type { Scope } from '../support/scope.ts'

/** The shortest that all of them take. */
export const INTERVAL_SECONDS = 20

/** A program that checks by a schedule of its own, set up anew for each number of monitors. */
export type Peer = {
  /** With its version. */
  name: string
  /** Sets it up to check each of these addresses every 20 s; it does not run when this resolves. */
  prepare(scope: Scope, urls: string[]): Promise<PreparedPeer>
}

export type PreparedPeer = {
  /** Resolves at any time after its processes were started; they end with the scope. */
  start(): Promise<void>
  /** Its first page; null where it has none. */
  screenUrl: string | null
  /** The CPU time of all of its processes, with those that have ended. */
  cpuMicros(): number
  pssBytes(): number
  /** Null where it has none, or none to compare. */
  list: MonitorList | null
}

/** A page with a list of monitors, and how a browser gets it without signing in by hand. */
export type MonitorList = {
  url: string
  /** Finds the rows. */
  selector: string
  cookies: { name: string; value: string }[]
  localStorage: Record<string, string>
}
