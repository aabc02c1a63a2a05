import * as z from 'zod'
import { FLAPS } from '../alerting/flapping.ts'
import { Instant } from '../instant.ts'
import { Condition, Thresholds } from './condition.ts'
import { Hosted } from './hosted.ts'
import { Machine, OtherMachine, TopProcess } from './machine-report.ts'
import { NotUnderstood } from './not-understood.ts'
import { SERIES, type SeriesName } from './series.ts'
import { ServerSettings } from './server.ts'
import { ServerBrief } from './server-brief.ts'

export const MAX_SERVERS_LISTED = 10_000
/** Points of one chart: more are merged. */
export const MAX_HISTORY_POINTS = 720
export const MAX_SERVER_INCIDENTS = 200

/** A server as a line in a list. Figures are those of the newest report; null where it said nothing of that. */
export const ServerRow = ServerBrief.extend({
  ...FLAPS,
  is_active: z.boolean(),
  last_report_at: Instant.nullable(),
  cpu_percent: z.number().nullable(),
  memory_used_percent: z.number().nullable(),
  fullest: z.object({ mount: z.string(), used_percent: z.number() }).nullable(),
  load_per_cpu: z.number().nullable(),
  /** Why it is not up: a sentence each. */
  causes: z.array(z.string()),
  /** Sorted. */
  tags: z.array(z.string()),
})
export type ServerRow = z.infer<typeof ServerRow>

/** How many servers a team has, and how many its plan allows; null: no limit. */
export const ServerLimits = z.object({ servers: z.int(), max_servers: z.int().nullable() })

export const ServerDetail = ServerRow.extend({
  settings: ServerSettings,
  /** Those that apply: the defaults and what was changed of them. */
  thresholds: Thresholds,
  machine: Machine.nullable(),
  /** Readings beyond a limit in the newest report, a sentence each: `causes` say how they began. */
  now: z.array(z.string()),
  other_machine: OtherMachine.nullable(),
  /** Requests that came since the last report, of which nothing could be kept. */
  not_understood: NotUnderstood.nullable(),
  latest: z.record(z.string(), z.number()),
  conditions: z.array(Condition),
  /** Containers and units, as its agent tells of them; null if it never did. */
  hosted: Hosted.nullable(),
  /** When each file system is full, by its trend; null: not within a week. */
  full_at: z.array(z.object({ mount: z.string(), at: Instant.nullable() })),
  created_at: Instant,
})
export type ServerDetail = z.infer<typeof ServerDetail>

/** The content of the install dialog. It holds the token: for members who may write. */
export const ServerInstall = z.object({
  /** `https://status.example.com/server/{token}` */
  address: z.string(),
  agent: z.object({ version: z.string(), sha256: z.string() }),
})
export type ServerInstall = z.infer<typeof ServerInstall>

const values = z.array(z.number().nullable())

/** Values of a series at the times of its history; `min` and `max` where a point stands for more than one report. */
export const SeriesHistory = z.object({
  name: z.enum(Object.keys(SERIES) as [SeriesName, ...SeriesName[]]),
  /** The mount point, disk or interface. */
  part: z.string().nullable(),
  values,
  min: values.nullable(),
  max: values.nullable(),
})
export type SeriesHistory = z.infer<typeof SeriesHistory>

/** The point at index i begins at `from` + i × `step_seconds`. */
export const ServerHistory = z.object({
  from: Instant,
  to: Instant,
  step_seconds: z.int(),
  series: z.array(SeriesHistory),
})
export type ServerHistory = z.infer<typeof ServerHistory>

export const ServerIncident = z.object({
  id: z.int(),
  server_id: z.int(),
  server_name: z.string(),
  /** `silent`, or a threshold with its part: `disk_space:/var`. */
  condition: z.string(),
  warns_only: z.boolean(),
  started_at: Instant,
  resolved_at: Instant.nullable(),
  cause: z.string(),
  processes: z.array(TopProcess),
})
export type ServerIncident = z.infer<typeof ServerIncident>
