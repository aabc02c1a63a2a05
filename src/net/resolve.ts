import net from 'node:net'
import {
  addressNeverAnswers,
  NO_NAME_SERVER,
  nameNotFound,
  nameServerFailed,
  nameServerSilent,
  nameServersFail,
  noAddress,
  noAddressOfVersion,
  redirectsInside,
} from '../core/monitors/cause.ts'
import { ownAddressesOf } from '../core/monitors/target.ts'
import {
  type AddressKind,
  type AddressPolicy,
  addressRefusal,
  isPrivateAddress,
  isPublicAddress,
  policyOf,
} from './address-policy.ts'
import type { LookUp } from './names/name-servers.ts'
import type { Network } from './network.ts'
import { publicNetworkOf } from './public-network.ts'
import { untilAborted } from './until-aborted.ts'
import type { DialWay } from './way.ts'

/** Names with fewer dots may be short for something longer: search domains, mDNS. */
const MIN_DOTS_OF_FULL_NAME = 2

/** `name` is set when name servers were asked: the form of the name they were sent. */
export type Resolution =
  /** At least one address, each allowed by the policy, in the order given. */
  | { kind: 'resolved'; addresses: string[]; name?: string }
  /**
   * The target's fault, or the signal aborted (then the reason says only that). `isRefused`: by our policy alone. `address`: the
   * name server of a monitor, which was silent.
   */
  | { kind: 'failed'; reason: string; name?: string; isRefused?: true; address?: string }
  /** `causeIfTheirs`: what to tell once it turns out not to be our fault; null where it always is. */
  | { kind: 'inconclusive'; reason: string; causeIfTheirs: string | null; name?: string }

/**
 * Resolves a host once and judges each of its addresses, by the policy for addresses of its kind. The host comes from targetHost: canonical, no brackets.
 * Refused addresses are left out; the host is refused only if none remain.
 */
export async function resolveTarget(
  network: Network,
  kind: AddressKind,
  host: string,
  signal: AbortSignal,
  way: DialWay = {},
): Promise<Resolution> {
  const any = await addressesOf(network, host, signal, way.nameServers)
  if (any.kind !== 'resolved') return any
  const { name } = any
  const { version } = way
  const found =
    version === undefined ? any.addresses : any.addresses.filter((address) => net.isIP(address) === version)
  if (found.length === 0 && version !== undefined) {
    const reason = noAddressOfVersion(host, version)
    return { kind: 'failed', reason, ...(name !== undefined && { name }) }
  }
  const allowed = found.filter((address) => refusalOf(network, kind, address) === null)
  if (allowed.length > 0) return { ...any, addresses: allowed }
  const [refused = host] = found
  return { kind: 'failed', reason: refusalOf(network, kind, refused) ?? noAddress(host), isRefused: true }
}

/** Why an address that is given so must not be dialled; null where it may. */
export function refusalOf(network: Network, kind: AddressKind, address: string): string | null {
  const isBroadcast = network.isOwnBroadcast(address)
  if (isBroadcast) return addressNeverAnswers(address, 'broadcast')
  const refusal = addressRefusal(policyAt(network, kind, address), address)
  const isLedInside = refusal !== null && kind === 'redirect of a check' && isPrivateAddress(address)
  return isLedInside ? redirectsInside(address) : refusal
}

/**
 * The policy for one address: a public host is as public behind NAT64 (RFC 6052), where it is for checks, and an answer
 * may lead there.
 */
export function policyAt(network: Network, kind: AddressKind, address: string): AddressPolicy {
  const isBehindNat64 =
    kind === 'redirect of a check' && !isPublicAddress(address) && publicNetworkOf(address) !== null
  return policyOf(isBehindNat64 ? 'check' : kind, network.privateTargets)
}

async function addressesOf(
  network: Network,
  host: string,
  signal: AbortSignal,
  others: DialWay['nameServers'],
): Promise<Resolution> {
  if (net.isIP(host)) return { kind: 'resolved', addresses: [host] }
  const name = host.toLowerCase().replace(/\.$/, '')
  const known = ownAddressesOf(name) ?? (others ? [] : network.hosts(name))
  if (known.length > 0) return { kind: 'resolved', addresses: [...known] }
  if (isNeverFound(name)) return { kind: 'failed', reason: nameNotFound(host) }
  if (others) {
    const answer = await others.lookUp(name, signal)
    const meaning = meaningOf(ofTheirs(answer), host)
    // The way from here ends at a name server that is silent.
    return meaning.kind === 'failed' && answer.kind === 'silent'
      ? { ...meaning, address: others.address }
      : meaning
  }
  const answer = await network.nameServers.lookUp(name, signal)
  if (isMissing(answer) && isShort(name) && network.systemLookUp) {
    const addresses = await untilAborted(network.systemLookUp(name), signal, [])
    if (addresses.length > 0) return { kind: 'resolved', addresses }
  }
  return { ...meaningOf(answer, host), name }
}

/** Name servers that a monitor names are not ours, whatever else they fail for. */
function ofTheirs(answer: LookUp): LookUp {
  return 'forEveryName' in answer ? { ...answer, forEveryName: false } : answer
}

/**
 * `.invalid` never exists (RFC 6761, section 6.4). A numeric last label marks a mistyped IPv4 address (URL standard,
 * "ends in a number"), though getaddrinfo(3) would accept `0177.1`.
 */
function isNeverFound(name: string): boolean {
  return /(^|\.)invalid$/.test(name) || /(^|\.)(\d+|0x[\da-f]*)$/.test(name) || name === ''
}

function isMissing(answer: LookUp): boolean {
  return answer.kind === 'not found' || answer.kind === 'no address'
}

function isShort(name: string): boolean {
  return name.split('.').length - 1 < MIN_DOTS_OF_FULL_NAME
}

function meaningOf(answer: LookUp, host: string): Resolution {
  switch (answer.kind) {
    case 'found':
      return { kind: 'resolved', addresses: answer.addresses }
    case 'not found':
      return { kind: 'failed', reason: nameNotFound(host) }
    case 'no address':
      return { kind: 'failed', reason: noAddress(host) }
    case 'server failed':
      return failedLookUp(
        nameServerFailed(host, answer.code),
        answer.forEveryName ? nameServersFail(answer.code) : null,
      )
    case 'silent':
      return failedLookUp(nameServerSilent(host), answer.forEveryName ? NO_NAME_SERVER : null)
    case 'refused':
      return { kind: 'failed', reason: answer.reason }
    case 'not asked':
      return { kind: 'inconclusive', reason: answer.reason, causeIfTheirs: null }
  }
}

/** `ours` says what is wrong with our name servers, if it is not this name alone. */
function failedLookUp(cause: string, ours: string | null): Resolution {
  return ours === null
    ? { kind: 'failed', reason: cause }
    : { kind: 'inconclusive', reason: ours, causeIfTheirs: cause }
}
