import type { AnswerPart } from '../../expectations/assertion.ts'
import { phrase } from '../../language/phrase.ts'

/** The groups of the types among the cards of the form, in their order. */
export const TYPE_GROUPS = {
  web: phrase('Web'),
  network: phrase('Network'),
  mail: phrase('Mail'),
  databases: phrase('Databases'),
  messages: phrase('Messages'),
  jobs: phrase('Jobs'),
  more: phrase('More'),
} as const
export type TypeGroup = keyof typeof TYPE_GROUPS

/** The place of a setting in the form. Checks require `needed` settings; `more` ones are under "More settings". */
export type SettingUse = 'needed' | 'first' | 'more'

/** Whether and how TLS begins on a connection. */
export const SECURITIES = ['auto', 'none', 'starttls', 'implicit'] as const
export type Security = (typeof SECURITIES)[number]

/** The protocols that a question goes over. */
export const TRANSPORTS = ['udp', 'tcp', 'tls', 'https'] as const
export type Transport = (typeof TRANSPORTS)[number]
/**
 * The language of a question to a database: SQL, SQL that has to be looked through for what changes something, one command as a shell has it,
 * or one as a JSON object.
 */
export type QueryLanguage = 'sql' | 'sql that reads' | 'words' | 'json'
/** How topics are written: all of them, and those that stand for several, to which nothing can be published. */
export type TopicForm = { written: RegExp; several?: RegExp }

/** A program that checks of a type need beside the service. */
export type Need = 'browser'

/** The options of the way to a target (`options/connection.ts`). */
export type WayOption = 'ip_version' | 'resolver' | 'proxy'

/** The differences of a type of monitors from the others, but the code that checks one. */
export type TypeEntry = {
  /** The name in lists and forms. */
  word: string
  /** A longer name, for the page of a monitor. */
  title: string
  /** One sentence that tells the type from the others, on its card in the form. */
  sentence: string
  /** A name from dashboard/parts/icons.ts. */
  icon: string
  group: TypeGroup
  /** The position among the cards of the form and the examples of the documents: the most used ones are first. */
  place: number
  /** False for a type that no probe checks, because its target calls us, or because others say how it is. */
  isProbed: boolean
  /** The path at which others tell how it is, before the token of the monitor. Nothing checks it. */
  toldAt?: string
  /** How to reach a target without a check, to find out whether our own network works; null if that is impossible. */
  landmark: 'connection' | 'echo' | null
  /**
   * Null if the type has no URL. Without `schemes`, any scheme is accepted; the last one completes a bare host. `isDialled`: checks go
   * to its host, so that the policy of addresses judges it.
   */
  url: {
    usesHostOnly: boolean
    schemes: readonly string[] | null
    /** The port of each scheme, for a URL without one. */
    ports?: Readonly<Record<string, number>>
    /** Schemes that say TLS, and how it may begin then; the first one holds. Else that is the type with an `s`, from the first byte on. */
    secure?: Readonly<Record<string, readonly Security[]>>
    /** Schemes whose URLs may name several hosts that hold the same, with commas between. */
    several?: readonly string[]
    /** Schemes whose host is a name of SRV records (RFC 2782), by the labels of the service that stand before it. */
    services?: Readonly<Record<string, string>>
    isDialled: boolean
    /** The form of its host, as it is written and with nothing behind it, where that is the name of something else. */
    named?: RegExp
    example: string
  } | null
  /** The fields that tell a monitor of this type from others, where a list is added twice. */
  identity: readonly ('name' | 'url' | 'port' | 'expected_keyword')[]
  /** The settings that this type has besides those of every type. */
  settings: Record<string, SettingUse>
  /** The options of the way to its target that it has. */
  way?: readonly WayOption[]
  /** Whether and how TLS may begin, where a monitor says it; the first one holds for one that does not. */
  security?: readonly Security[]
  /** Checks may send something, and judge what comes back. */
  sends?: true
  /** The options that only types of its kind have. */
  ownOptions?: readonly string[]
  /** The protocols that its questions may go over; the first one holds for a monitor that does not say it. */
  transports?: readonly Transport[]
  /** Checks may ask its database something in this language. */
  queries?: QueryLanguage
  /** Checks may wait for a message on a topic, and publish one to it. */
  topics?: TopicForm
  /** A program beside the service that its checks need, which an operator installs. */
  needs?: Need
  /** The shortest interval: a check of it takes more of this machine than others. */
  minIntervalSeconds?: number
  /** The options that a monitor of this type cannot do without. */
  neededOptions?: readonly string[]
  /** The parts of an answer that assertions may read; none where there is nothing to expect besides an answer. */
  answer: readonly AnswerPart[]
  /** The phases that every check measures, in order. */
  phases: readonly ('dns_ms' | 'connect_ms' | 'tls_ms' | 'first_byte_ms' | 'transfer_ms')[]
  /** Exact intervals that the form offers: seconds and their label. None for a type that has no interval. */
  intervals: Record<number, string>
  /** The interval that the form starts with; null for the shortest one in minutes that the plan allows. */
  usualIntervalSeconds: number | null
  /** The names that other services use in their exports. Imports skip a type that has no name here. */
  importNames: Partial<Record<'uptime-kuma' | 'gatus' | 'uptimerobot', readonly string[]>>
  /** The request body in the documents, without its type. */
  example: { name: string; check_interval_minutes: number; [setting: string]: unknown }
}

/** A URL whose host is dialled, and which says more than a host. */
export const DIALLED = { usesHostOnly: false, isDialled: true } as const
export const ANY_WAY = ['ip_version', 'resolver', 'proxy'] as const
export const SHORT_INTERVALS = { 10: '10 s', 30: '30 s' } as const
/** The parts of an answer that is a message, over a connection that may be one of TLS. */
export const OF_MESSAGES = [
  'answer',
  'json',
  'response_time_ms',
  'response_time_p95_ms',
  'certificate_days',
] as const
/** The parts of an answer that is one text, over a connection that may be one of TLS. */
export const OF_ANSWERS_OVER_TLS = [
  'answer',
  'response_time_ms',
  'response_time_p95_ms',
  'certificate_days',
] as const
export const OVER_TLS = ['dns_ms', 'connect_ms', 'tls_ms', 'first_byte_ms'] as const
/** The lines that entries of types share; one that differs says so behind them. These are of every type that a probe checks. */
const CHECKED = { isProbed: true, intervals: SHORT_INTERVALS, usualIntervalSeconds: null } as const
/** Checks talk over a connection. */
export const CONNECTED = { ...CHECKED, landmark: 'connection', way: ANY_WAY } as const
/** The same, where TLS may begin on it. */
export const CONNECTED_OVER_TLS = { ...CONNECTED, phases: OVER_TLS } as const
/** Checks exchange packets: a host that answers none of them may answer others. */
export const PACKETS = {
  ...CHECKED,
  landmark: null,
  way: ['ip_version', 'resolver'],
  phases: ['dns_ms', 'first_byte_ms'],
} as const
/** The settings of a protocol that has a sign-in of its own. */
export const SIGNED_IN_SETTINGS = {
  url: 'needed',
  request_timeout_seconds: 'more',
  ssl_expiry_warning_days: 'more',
  username: 'more',
  password: 'more',
} as const
