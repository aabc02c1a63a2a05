import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import type { Talk } from './talk.ts'

/** The answer of a server in place of the expected one; null where it did as it was asked. */
export type UnlikeAnswer = { what: string; line: string; expected: string } | null

/** The abilities of a server, as far as it says them. */
export type Abilities = {
  offersTls: boolean
  /** It takes a user name and a password, by one of these ways. */
  signIns: readonly string[]
}

export type User = { name: string; password: string }

/**
 * A protocol of lines, as a table of what is said when: `speak` says it, over TLS where a monitor wants that, and judges what the
 * server answers.
 */
export type LineProtocol = {
  /** As people write it: SMTP. */
  name: string
  /** Our first line, which does not wait for the server. */
  hello?: string
  /** Reads what the server says first. `banner`: its first line that counts. `refusal`: it will not have us. */
  greet(talk: Talk): Promise<{ banner: string; refusal: UnlikeAnswer }>
  /** Asks what the server can do. */
  ask?(talk: Talk): Promise<{ abilities: Abilities; refusal: UnlikeAnswer }>
  /** Has TLS begin behind the last line that this reads. */
  startTls?(talk: Talk): Promise<UnlikeAnswer>
  /** Signs in. `none`: by no way that the server takes. */
  signIn?(talk: Talk, user: User, abilities: Abilities): Promise<UnlikeAnswer | 'none'>
  /** Reads what assertions about `answer` are about, once one is signed in; without it that is the banner. */
  read?(
    talk: Talk,
    settings: Pick<ProbeSettings, 'options'>,
  ): Promise<{ answer: string; refusal: UnlikeAnswer }>
  /** How to take leave; the server answers with a line, or hangs up. */
  farewell?: string
}
