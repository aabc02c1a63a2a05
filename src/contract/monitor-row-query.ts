import * as z from 'zod'
import { MonitorSort } from '../core/monitors/monitor-row.ts'
import { MonitorType } from '../core/monitors/monitor-types.ts'
import { LiveStatus } from '../core/monitors/status.ts'
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../core/pagination.ts'
import { isTagKey } from '../core/tags/tag-text.ts'
import { text } from '../core/text.ts'
import { integerParameter, tagsParameter } from './query.ts'

/** In a file of its own: the dashboard reads addresses by it before its first screen, which needs no answer's schema. */
export const MonitorRowQuery = z.object({
  page: integerParameter(1).default(1),
  per_page: integerParameter(1, MAX_PER_PAGE).default(DEFAULT_PER_PAGE),
  /** Part of the name or of the target, case-insensitive. */
  search: text(255).optional(),
  status: LiveStatus.optional(),
  type: MonitorType.optional(),
  /** Monitors that carry all of these: `env:prod,team`. */
  tags: tagsParameter().optional(),
  /** The key of tags by which to group: groups come before the order. */
  group: z.string().refine(isTagKey, 'must be the key of tags, such as env').optional(),
  sort: MonitorSort.default('attention'),
  order: z.enum(['asc', 'desc']).default('asc'),
})
