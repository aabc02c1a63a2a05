import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { issueAt, said } from '../../language/said.ts'
import { RecordId } from '../../record-id.ts'
import { MAX_SELECTORS } from '../../tags/selector.ts'
import { AnsweredTag } from '../../tags/tag.ts'
import { GroupRule, MAX_MEMBERS } from '../groups/group-state.ts'
import { isGroup } from '../monitor-types.ts'
import type { Option } from './option.ts'

const MemberIds = z
  .array(RecordId.meta({ format: 'monitor' }))
  .min(1)
  .max(MAX_MEMBERS)
  .superRefine((ids, context) => {
    const seen = new Set<number>()
    ids.forEach((id, index) => {
      if (seen.has(id))
        context.addIssue(issueAt([index], said('must not repeat {code}', { code: String(id) })))
      seen.add(id)
    })
  })

const TaggedMembers = z.strictObject({
  tags: z
    .array(AnsweredTag)
    .min(1)
    .max(MAX_SELECTORS)
    .describe('Tags that members carry all of: `env:prod` is that tag, `env` one with this key.'),
})

/** The members of a group: by ID, or whatever carries all of some tags. */
export const GroupMembers = z.union([MemberIds, TaggedMembers], {
  error: phrase('must be IDs of monitors, or an object with the tags that members carry, got {got}'),
})
export type GroupMembers = z.infer<typeof GroupMembers>

/** Options of groups. */
export const GROUPS = {
  members: {
    schema: GroupMembers,
    description:
      'The members: IDs of 1 to 500 monitors of the team, or `{ "tags": ["env:prod"] }` for the monitors that carry all of these tags, as they come and go; groups are members by ID alone. Required.',
    group: 'group',
    label: phrase('Members'),
    hint: phrase('Chosen one by one, or all monitors that carry certain tags.'),
    has: isGroup,
    default: null,
  },
  rule: {
    schema: GroupRule,
    description:
      'How many members must be up: `all`, `any`, `{ "at_least": 2 }` or `{ "percent": 50 }`. Members that are paused, in maintenance or pending do not count.',
    group: 'group',
    label: phrase('The group is up while'),
    hint: phrase('Members that are paused, in maintenance or not yet checked do not count.'),
    has: isGroup,
    default: 'all',
    clashes: (value, _around, { members }) => {
      const rule = value as GroupRule
      const most = Array.isArray(members) ? members.length : MAX_MEMBERS
      if (typeof rule === 'string' || !('at_least' in rule) || rule.at_least <= most) return []
      const message = said('must be at most the number of members, {max}', { max: most })
      return [{ at: ['at_least'], message }]
    },
  },
} as const satisfies Record<string, Option>
