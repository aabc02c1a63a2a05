import { addressAndPort, connectionFailure, noRoute } from '../core/monitors/cause.ts'
import { familyTrouble, ownTrouble } from './own-trouble.ts'

const MAX_KINDS_NAMED = 2

/**
 * Why connecting to one address failed. `code` is the system's; judged are those that askRoute leaves: ENETUNREACH only
 * when this machine has no route, EADDRNOTAVAIL only when it has no address of the family.
 */
export type DialFailure = { address: string; code: string }

/** Decides whose fault it is that every address failed: the target's side (`failed`) or ours (`inconclusive`). */
export function judgeFailures(
  failures: readonly DialFailure[],
  port: number,
): { kind: 'failed'; reason: string } | { kind: 'inconclusive'; reason: string; isOfTheWay: boolean } {
  const own = failures.map(({ code }) => ownTrouble(code)).find((trouble) => trouble !== null)
  if (own) return { kind: 'inconclusive', reason: own, isOfTheWay: false }
  const [missing] = failures.map(({ code }) => familyTrouble(code))
  const hasNoFamily = failures.every(({ code }) => familyTrouble(code) !== null)
  if (missing && hasNoFamily) return { kind: 'inconclusive', reason: missing, isOfTheWay: true }
  return { kind: 'failed', reason: explain(failures, port) }
}

/** One sentence per kind of failure. Address families that this machine lacks say nothing about the target. */
function explain(failures: readonly DialFailure[], port: number): string {
  const byCode = Map.groupBy(
    failures.filter(({ code }) => familyTrouble(code) === null),
    ({ code }) => code,
  )
  const sentences = Array.from(byCode, ([code, failed]) => {
    const addresses = failed.map(({ address }) => address)
    // Systems of the BSD family have a code of their own for a host that does not answer on its own network.
    if (code === 'EHOSTUNREACH' || code === 'EHOSTDOWN') return noRoute(addresses)
    const endpoints = addresses.map((address) => addressAndPort(address, port))
    return connectionFailure(code, endpoints)
  })
  return sentences.slice(-MAX_KINDS_NAMED).join('; ')
}
