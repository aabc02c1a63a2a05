import type { ShownCertificate } from '../../sites/shown-site.ts'
import type { CheckResult } from '../check.ts'

/** The answer of name servers about the name of a host. */
export type LookedUpNames =
  /** An address has no name to look up. */
  | { kind: 'address' }
  /** The machine that looks has the name in its hosts file. */
  | { kind: 'hosts file' }
  | { kind: 'not asked'; reason: string }
  | {
      kind: 'asked'
      /** The names that the first one leads to, by CNAME. */
      aliases: string[]
      addresses: string[]
      /** Null where the name has addresses; else what its servers say. */
      fault: string | null
      /** The name servers of its zone, by name; null where they are not known. */
      zone: { name: string; servers: string[] } | null
    }

/** One step of a route; `address` is null where nothing answered, and `inner` where it is none of the internet. */
export type TracedHop = { address: string | null; ms: number | null }

export type TracedRoute =
  /** This machine may not send such requests, or cannot at the moment. */
  | { kind: 'not asked'; reason: string }
  /** `hops` are those up to the target, or up to the last one that answered. */
  | { kind: 'asked'; hops: TracedHop[]; isReached: boolean; asked: number }

/** `reason` is null for an address that takes connections. `isOurs`: trouble of this machine or its network. */
export type TriedAddress = { address: string; ms: number | null; reason: string | null; isOurs: boolean }

export type SeenEncryption =
  /** `refusal`: why the certificate is not trusted; null where it is. */
  | {
      kind: 'spoken'
      protocol: string | null
      cipher: string | null
      chain: ShownCertificate[]
      refusal: string | null
    }
  | { kind: 'failed'; reason: string }

/** A result with the handshake behind a talk, such as STARTTLS, where a diagnosis asks for it. */
export type TalkedResult = CheckResult & { encryption?: SeenEncryption }

/** The findings on the way to the target of a monitor. Each is null where there is nothing to look at. */
export type TargetLook = {
  host: string
  port: number | null
  /** The check goes through a proxy: its way from here ends there. */
  isThroughProxy: boolean
  names: LookedUpNames | null
  /** Why no address is dialled, by the policy for addresses or because there is none; null where one may be. */
  refusal: string | null
  /** `refusal` is trouble of this machine or its name servers. */
  isOurs: boolean
  connections: TriedAddress[]
  route: TracedRoute | null
  encryption: SeenEncryption | null
}
