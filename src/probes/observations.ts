import type { WaitingFor } from '../core/monitors/cause.ts'
import type { AnswerTraits, Phases, SeenCertificate } from '../core/monitors/check.ts'
import type { SeenEncryption } from '../core/monitors/incidents/target-look.ts'
import type { Via } from '../net/way.ts'

/** Everything observed during one attempt so far; the result carries as much of it as there is. */
export type Observed = {
  waitingFor: WaitingFor
  /** Time spent in our own queues, or set aside; does not count as the target's. */
  ownWaitMs: number
  phases: Phases
  httpStatusCode: number | null
  /** The one of the connections so far that expires first. */
  certificate: SeenCertificate | null
  /** The IP literal connected to, or the first one that failed; null before that. */
  address: string | null
  /** The first address of the other family, where the check failed. */
  otherAddress: string | null
  /** The name sent to the name servers; null before that, and when none were needed. */
  name: string | null
  /** Where the check went from here, if that is not its target: a proxy, or a server that gives out tokens. */
  via: Via | null
  /** The handshake behind a talk, where a diagnosis asks for it. */
  encryption: SeenEncryption | null
  /** How the last answer over HTTP looked, where the settings ask for it. */
  traits: AnswerTraits | null
  /** Faults of answers that browsers take all the same. */
  oddities: ReadonlySet<string>
}

/**
 * The steps of an attempt in their order: the only writers of what is observed. A step that something arrived with
 * counts as progress.
 */
export type Observations = {
  readonly observed: Readonly<Omit<Observed, 'phases'> & { phases: Readonly<Phases> }>

  // Written by connect.ts

  /** A connection begins; forgets the phases of an earlier one. */
  connecting(): void
  /** `dnsMs` is null when the look-up failed. `dialedAt` is on the clock of performance.now(). */
  lookedUp(
    dial: { dnsMs: number | null; address: string | null; otherAddress?: string; name?: string },
    dialedAt: number,
  ): void
  /** The way from here is to a proxy, or to a server that gives out tokens. */
  wentThrough(via: Via): void
  dialFailed(phase: WaitingFor): void
  connected(connectMs: number): void
  handshaking(): void
  secured(handshake: { certificate: SeenCertificate; tlsMs: number; waitedMs: number }): void

  /** A handshake behind a talk has ended; null where nothing is known of it. */
  encrypted(seen: SeenEncryption | null): void

  // Written by follow-redirects.ts

  requested(): void
  /** A server that is not the target is asked for a token. */
  authorizing(): void
  /** The check was so long about something else than its target, such as a token for it. */
  setAside(ms: number): void
  headersRead(statusCode: number, firstByteMs: number): void
  /** An answer looks like this. */
  showed(traits: AnswerTraits): void
  /** An answer has faults, but browsers take it all the same. */
  foundOdd(oddities: readonly string[]): void

  // Written by dns.ts and dns-over-https.ts

  /** The answer begins to arrive, or is there as a whole. */
  firstByteRead(firstByteMs: number): void

  // Written by lines/speak.ts and databases/ask.ts

  /** The greeting is there, whose first byte came so long after the connection. */
  greeted(firstByteMs: number): void
  signingIn(): void
  /** A database is asked what the monitor wants to know. */
  querying(): void

  // Written by websocket.ts and brokers/ask-broker.ts

  /** The connection speaks another protocol now, and its first message is waited for. */
  awaitingMessage(): void

  // Written by brokers/ask-broker.ts

  /** A message was published, and is to come back. */
  awaitingPublished(): void

  // Written by judge-answer.ts

  bodyRead(transferMs: number): void
}

const NOTHING_ODD: ReadonlySet<string> = new Set()

type Recording = { observed: Observed; progress(atMs?: number): void }

/** One for all attempts: a check would make twenty functions, which take longer than it takes to call them. */
const STEPS: Omit<Observations, 'observed'> & ThisType<Recording> = {
  connecting() {
    this.observed.phases = noPhases()
    this.observed.via = null
    this.observed.httpStatusCode = null
    this.observed.waitingFor = 'looking up the name'
  },
  lookedUp({ dnsMs, address, otherAddress = null, name = null }, dialedAt) {
    this.observed.phases.dnsMs = dnsMs
    this.observed.address = address
    this.observed.otherAddress = otherAddress
    this.observed.name = name
    if (dnsMs !== null) this.progress(dialedAt + dnsMs)
  },
  wentThrough(via) {
    this.observed.via = via
  },
  dialFailed(phase) {
    this.observed.waitingFor = phase
  },
  connected(connectMs) {
    this.observed.phases.connectMs = connectMs
    this.progress()
  },
  handshaking() {
    this.observed.waitingFor = 'TLS handshake'
  },
  secured({ certificate, tlsMs, waitedMs }) {
    const { certificate: before } = this.observed
    if (!before || certificate.expiresAt < before.expiresAt) this.observed.certificate = certificate
    this.observed.phases.tlsMs = tlsMs
    this.observed.ownWaitMs += waitedMs
    this.progress()
  },
  encrypted(seen) {
    this.observed.encryption = seen
  },
  showed(traits) {
    this.observed.traits = traits
  },
  authorizing() {
    this.observed.waitingFor = 'getting an access token'
  },
  requested() {
    this.observed.waitingFor = 'connected, waiting for the first byte'
  },
  setAside(ms) {
    this.observed.ownWaitMs += ms
    this.progress()
  },
  headersRead(statusCode, firstByteMs) {
    this.observed.httpStatusCode = statusCode
    this.observed.phases.firstByteMs = firstByteMs
    this.observed.waitingFor = 'reading the answer'
    this.progress()
  },
  firstByteRead(firstByteMs) {
    this.observed.phases.firstByteMs = firstByteMs
    this.progress()
  },
  greeted(firstByteMs) {
    this.observed.phases.firstByteMs = firstByteMs
    this.observed.waitingFor = 'reading the answer'
    this.progress()
  },
  signingIn() {
    this.observed.waitingFor = 'signing in'
  },
  querying() {
    this.observed.waitingFor = 'running the query'
  },
  foundOdd(oddities) {
    if (oddities.length > 0) this.observed.oddities = new Set([...this.observed.oddities, ...oddities])
  },
  awaitingMessage() {
    this.observed.waitingFor = 'waiting for the first message'
  },
  awaitingPublished() {
    this.observed.waitingFor = 'waiting for the published message'
  },
  bodyRead(transferMs) {
    this.observed.phases.transferMs = transferMs
  },
}

/** The steps write by way of the object that they stand in, or of a copy of it. */
export function createObservations(
  progress: (atMs?: number) => void,
): Observations & Pick<Recording, 'progress'> {
  const observed: Observed = {
    waitingFor: 'looking up the name',
    ownWaitMs: 0,
    phases: noPhases(),
    httpStatusCode: null,
    certificate: null,
    address: null,
    otherAddress: null,
    name: null,
    via: null,
    encryption: null,
    traits: null,
    oddities: NOTHING_ODD,
  }
  return { ...STEPS, observed, progress }
}

function noPhases(): Phases {
  return { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null }
}
