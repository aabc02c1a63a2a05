import type { UnlikeAnswer, User } from '../lines/protocol.ts'
import type { Talk } from '../lines/talk.ts'

/** The broker refuses, or answers with what the protocol does not have: its message is the cause. */
export class BrokerRefusal extends Error {}

/** A message that arrived. `isKept`: the broker had it before we came. `packedBy`: a compression that is not read here. */
export type BrokerMessage = { bytes: Buffer; isKept?: boolean; packedBy?: string }

/** All that a protocol may need to sign in. */
export type Guest = {
  user: User | null
  url: URL
  /** It is sent over TLS, so that no other reads along. */
  isEncrypted: boolean
  /** Where the first connection leads. */
  place: { host: string; port: number }
  /**
   * Connects to another broker that this one names, or once more to this one (null). The connection before goes on. `who`: the other one,
   * in a cause.
   */
  open(other: { who: string; host: string; port: number } | null): Promise<Talk>
}

/** A connection that is signed in. Everything rejects with `TalkEnded` or `BrokerRefusal`. */
export type BrokerSession = {
  /** Resolves once the broker will send what arrives; `publishes`: the message that is waited for is our own. */
  subscribe(topic: string, publishes: boolean): Promise<void>
  /** Sends a message. A refusal may come with the next message only. */
  publish(topic: string, message: Buffer): Promise<void>
  /** The next message of the topic; it answers meanwhile what keeps the connection alive. */
  next(): Promise<BrokerMessage>
  /** Takes leave; resolves once the broker has answered, where it does. */
  leave(): Promise<void>
}

/** A protocol of brokers, as a table of what is said when: `ask-broker.ts` says it, and judges what the broker answers. */
export type Broker = {
  /** As people write it: MQTT. */
  name: string
  /** The subprotocol over WebSockets, where it is spoken there, too: at a URL of `ws` or `wss`. */
  subprotocol?: string
  /** Reads what a broker says first, where it speaks first. TLS begins behind it where a monitor wants that. */
  greet?(talk: Talk): Promise<{ offersTls: boolean; refusal: UnlikeAnswer }>
  signIn(talk: Talk, guest: Guest): Promise<BrokerSession>
}
