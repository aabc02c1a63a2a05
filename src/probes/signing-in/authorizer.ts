import type { IncomingMessage } from 'node:http'
import type { CheckResult } from '../../core/monitors/check.ts'
import type { Hop } from '../hop.ts'

/** The value of the header `Authorization`, or the result of a check that got none. */
export type Authorized = { kind: 'value'; value: string } | { kind: 'ended'; result: CheckResult }

/** Signs the requests of one attempt in, within the monitor's own origin. */
export type Authorizer = {
  /** Before the first request; null where the server has to ask first. */
  begin(): Promise<Authorized | null>
  /** Once the server answered a request with 401; null where that is the last word. */
  again(hop: Hop, response: IncomingMessage): Promise<Authorized | null>
  /** A value is for one request alone, and no following one. */
  isForOneRequest: boolean
}
