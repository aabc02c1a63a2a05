import * as z from 'zod'
import { phrase } from '../language/phrase.ts'
import { DATABASE_TYPES } from './types/databases.ts'
import type {
  Need,
  QueryLanguage,
  Security,
  SettingUse,
  TopicForm,
  Transport,
  TypeEntry,
  TypeGroup,
  WayOption,
} from './types/entry.ts'
import { LINE_TYPES } from './types/lines.ts'
import { MESSAGE_TYPES } from './types/messages.ts'
import { NETWORK_TYPES } from './types/network.ts'
import { PACKET_TYPES } from './types/packets.ts'
import { SERVICE_TYPES } from './types/services.ts'
import { WEB_TYPES } from './types/web.ts'

/**
 * Every difference between the types of monitors, except the code that checks one (src/probes). Rules, documents,
 * forms and imports derive from this table. Its order is the order of the API's enumeration.
 */
export const MONITOR_TYPES = {
  http: WEB_TYPES.http,
  ssl: WEB_TYPES.ssl,
  heartbeat: {
    word: phrase('Heartbeat'),
    title: phrase('Heartbeat of a job'),
    sentence: phrase('Your cron job or backup pings us after each run.'),
    icon: 'heart-pulse',
    group: 'jobs',
    place: 6,
    isProbed: false,
    toldAt: '/ping',
    landmark: null,
    url: null,
    identity: ['name'],
    settings: {},
    answer: [],
    phases: [],
    // Longer than the time between two runs of a job.
    intervals: {
      3900: phrase('65 min, for an hourly job'),
      90000: phrase('25 h, for a daily job'),
      691200: phrase('8 days, for a weekly job'),
    },
    usualIntervalSeconds: 90_000,
    importNames: { 'uptime-kuma': ['push'], uptimerobot: ['HEARTBEAT'] },
    example: { name: 'Nightly backup', check_interval_minutes: 60, check_interval_seconds: 90_000 },
  },
  keyword: WEB_TYPES.keyword,
  tcp: NETWORK_TYPES.tcp,
  icmp: NETWORK_TYPES.icmp,
  dns: NETWORK_TYPES.dns,
  domain: NETWORK_TYPES.domain,
  websocket: WEB_TYPES.websocket,
  steps: WEB_TYPES.steps,
  browser: WEB_TYPES.browser,
  ...LINE_TYPES,
  ...PACKET_TYPES,
  ...SERVICE_TYPES,
  ...DATABASE_TYPES,
  ...MESSAGE_TYPES,
  group: {
    word: phrase('Group'),
    title: phrase('Group of monitors'),
    sentence: phrase('Several monitors together are up, by a rule of yours.'),
    icon: 'layers',
    group: 'more',
    place: 30,
    isProbed: false,
    landmark: null,
    url: null,
    identity: ['name'],
    settings: {},
    neededOptions: ['members'],
    answer: [],
    phases: [],
    intervals: {},
    usualIntervalSeconds: null,
    importNames: { 'uptime-kuma': ['group'] },
    example: {
      name: 'Payments',
      check_interval_minutes: 60,
      options: { members: [42, 43], rule: 'any' },
    },
  },
  manual: {
    word: phrase('Manual'),
    title: phrase('Switched by hand'),
    sentence: phrase('A person or a script sets it to up or down.'),
    icon: 'toggle-left',
    group: 'more',
    place: 10,
    isProbed: false,
    toldAt: '/manual',
    landmark: null,
    url: null,
    identity: ['name'],
    settings: {},
    answer: [],
    phases: [],
    intervals: {},
    usualIntervalSeconds: null,
    importNames: { 'uptime-kuma': ['manual'] },
    example: { name: 'Telephone line', check_interval_minutes: 60 },
  },
} as const satisfies Record<string, TypeEntry>

type Types = typeof MONITOR_TYPES

export const MonitorType = z
  .enum(Object.keys(MONITOR_TYPES) as (keyof Types)[])
  .describe('What is checked, and how.')
export type MonitorType = z.infer<typeof MonitorType>

/** The types in the order of their places. */
export const TYPES_BY_PLACE = MonitorType.options.toSorted(
  (a, b) => MONITOR_TYPES[a].place - MONITOR_TYPES[b].place,
)

/** The types of a group, in the order of their places. */
export function typesOfGroup(group: TypeGroup): MonitorType[] {
  return TYPES_BY_PLACE.filter((type) => MONITOR_TYPES[type].group === group)
}

/** A type that a probe checks. */
export type ProbedType = {
  [Type in MonitorType]: Types[Type]['isProbed'] extends true ? Type : never
}[MonitorType]

/** Whether its state follows from those of other monitors, which nothing checks or waits for. */
export function isGroup(type: MonitorType): boolean {
  return type === 'group'
}

/** Whether people and scripts set its state, which nothing checks or waits for. */
export function isSetByHand(type: MonitorType): type is 'manual' {
  return type === 'manual'
}

/** Whether it has a time at which something is due. */
export function hasInterval(type: MonitorType): boolean {
  return Object.keys(kindOf(type).intervals).length > 0
}

/** The path at which others tell how a monitor of this type is; null for one that is checked, or follows from others. */
export function toldAt(type: MonitorType): string | null {
  return kindOf(type).toldAt ?? null
}

/** The types that probes check. */
export const PROBED_TYPES = MonitorType.options.filter(
  (type): type is ProbedType => MONITOR_TYPES[type].isProbed,
)

/** A setting that some types have and others have not. */
export type TypeSetting = { [Type in MonitorType]: keyof Types[Type]['settings'] }[MonitorType]

function settingsOf(type: MonitorType): Record<string, SettingUse | undefined> {
  return MONITOR_TYPES[type].settings
}

export function usesSetting(type: MonitorType, setting: TypeSetting): boolean {
  return settingsOf(type)[setting] !== undefined
}

/** Every type has the settings that no entry lists. */
export function isTypeSetting(setting: string): setting is TypeSetting {
  return TYPE_SETTINGS.has(setting)
}

const TYPE_SETTINGS = new Set<string>(
  Object.values(MONITOR_TYPES).flatMap(({ settings }) => Object.keys(settings)),
)

/** The settings that a check of this type requires, in the order of the entry. */
export function neededSettings(type: MonitorType): TypeSetting[] {
  const settings = Object.keys(settingsOf(type)) as TypeSetting[]
  return settings.filter((setting) => settingsOf(type)[setting] === 'needed')
}

/** Whether the form shows a setting outside "More settings". */
export function isInSight(type: MonitorType, setting: TypeSetting): boolean {
  const use = settingsOf(type)[setting]
  return use === 'needed' || use === 'first'
}

/** Whether a target of this type can be reached without a check. */
export function servesAsLandmark(type: MonitorType): boolean {
  return MONITOR_TYPES[type].landmark !== null
}

/** The fields that tell a monitor of a type from others. */
export function identityOf(type: MonitorType): TypeEntry['identity'] {
  return MONITOR_TYPES[type].identity
}

/** Whether a type has a URL of which only the host counts. */
export function usesHostOnly(type: MonitorType): boolean {
  return MONITOR_TYPES[type].url?.usesHostOnly === true
}

/** Whether checks of a type go to the host of its URL. */
export function dialsUrl(type: MonitorType): boolean {
  return MONITOR_TYPES[type].url?.isDialled === true
}

/** The schemes that a type can check; null where any will do. */
export function schemesOf(type: MonitorType): readonly string[] | null {
  return MONITOR_TYPES[type].url?.schemes ?? null
}

/** The scheme of a URL that is made of a bare host. */
export function usualSchemeOf(type: MonitorType): string {
  return schemesOf(type)?.at(-1) ?? type
}

/** The parts of an answer that assertions about checks of a type may read. */
export function answerOf(type: MonitorType): TypeEntry['answer'] {
  return MONITOR_TYPES[type].answer
}

/** Whether a monitor of this type may say this about the way to its target. */
export function hasWay(type: MonitorType, option: WayOption): boolean {
  return kindOf(type).way?.includes(option) === true
}

/** Whether and how TLS may begin; the first one holds where a monitor does not say it. None for other types. */
export function securitiesOf(type: MonitorType): readonly Security[] {
  return kindOf(type).security ?? []
}

/** Whether checks of this type may send something, and judge what comes back. */
export function sends(type: MonitorType): boolean {
  return kindOf(type).sends === true
}

/** The language in which checks of this type may ask a database something; null for other types. */
export function queryLanguageOf(type: MonitorType): QueryLanguage | null {
  return kindOf(type).queries ?? null
}

/** How topics of this type are written; null for a type whose checks wait for no message of a topic. */
export function topicsOf(type: MonitorType): TopicForm | null {
  return kindOf(type).topics ?? null
}

/** The program that checks of this type need beside the service; null for most. */
export function needOf(type: MonitorType): Need | null {
  return kindOf(type).needs ?? null
}

/** The shortest interval of a monitor of this type; null where the plan alone says it. */
export function minIntervalSecondsOf(type: MonitorType): number | null {
  return kindOf(type).minIntervalSeconds ?? null
}

/** The options that a monitor of this type cannot do without. */
export function neededOptionsOf(type: MonitorType): readonly string[] {
  return kindOf(type).neededOptions ?? []
}

/** Whether only types of this kind have the option, and this is one. */
export function hasOption(type: MonitorType, option: string): boolean {
  return kindOf(type).ownOptions?.includes(option) === true
}

/** The protocols that its questions may go over; the first one holds where a monitor does not say it. None for other types. */
export function transportsOf(type: MonitorType): readonly Transport[] {
  return kindOf(type).transports ?? []
}

/** How TLS may begin where the scheme of a URL says TLS; the first one holds. None where it does not. */
export function securitiesOfScheme(type: MonitorType, scheme: string): readonly Security[] {
  const { schemes = null, secure } = kindOf(type).url ?? {}
  if (!schemes?.includes(scheme)) return []
  if (!secure) return scheme === `${type}s` ? ['implicit'] : []
  return Object.hasOwn(secure, scheme) ? (secure[scheme] ?? []) : []
}

/** The form of the host of its URL, where that is the name of something else than a host; null where it is one. */
export function namedBy(type: MonitorType): RegExp | null {
  return kindOf(type).url?.named ?? null
}

/** The port of a scheme that a type can check; null without one. */
export function portOfScheme(type: MonitorType, scheme: string): number | null {
  const ports = kindOf(type).url?.ports ?? {}
  return Object.hasOwn(ports, scheme) ? (ports[scheme] ?? null) : null
}

/** The schemes whose URLs may name several hosts, with commas between. */
export const SCHEMES_OF_SEVERAL: ReadonlySet<string> = new Set(
  MonitorType.options.flatMap((type) => kindOf(type).url?.several ?? []),
)

/** The labels of the service whose SRV records lead to the hosts of a URL of this scheme; null where its host is dialled. */
export function serviceOfScheme(type: MonitorType, scheme: string): string | null {
  const services = kindOf(type).url?.services ?? {}
  return Object.hasOwn(services, scheme) ? (services[scheme] ?? null) : null
}

function kindOf(type: MonitorType): TypeEntry {
  return MONITOR_TYPES[type]
}
