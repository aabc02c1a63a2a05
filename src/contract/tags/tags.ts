import * as z from 'zod'
import { TagSet } from '../../core/tags/tag.ts'
import { MonitorTags, TAGS_IN_USE, TagChange } from '../../core/tags/tag-change.ts'
import { many, one } from '../envelope.ts'
import type { Operation } from '../operation.ts'
import { onEach, SUBJECTS } from '../subjects.ts'

const BODY_ERRORS = ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'] as const

/** All tags of a subject. */
const Tags = z.object({ tags: z.array(z.string()) })
const setTags = {
  internal: true,
  method: 'PUT',
  access: 'write',
  body: z.object({ tags: TagSet }),
  status: 200,
  output: one(Tags),
  errors: ['notFound', ...BODY_ERRORS],
} as const satisfies Omit<Operation, 'path' | 'summary'>

export const tagOperations = {
  listTags: {
    internal: true,
    method: 'GET',
    path: '/tags',
    summary: 'List the tags in use, with how many monitors, servers and sites carry each',
    access: 'read',
    status: 200,
    output: z.object({ data: TAGS_IN_USE }),
    errors: [],
  },
  /** The commands `export` and `apply` use it on the machine of the service. */
  listMonitorTags: {
    internal: true,
    method: 'GET',
    path: '/monitor-tags',
    summary: 'List the monitors that have tags, with them',
    access: 'read',
    status: 200,
    output: many(MonitorTags),
    errors: [],
  },
  /** A monitor of the API has no tags: they are the dashboard's. */
  getMonitorTags: {
    internal: true,
    method: 'GET',
    path: '/monitors/{monitor}/tags',
    summary: 'Show the tags of a monitor',
    access: 'read',
    status: 200,
    output: one(Tags),
    errors: ['notFound'],
  },
  ...onEach(SUBJECTS, 'set*Tags', '/tags', (words) => `Set the tags of ${words}`, setTags),
  changeTags: {
    internal: true,
    method: 'POST',
    path: '/tags/changes',
    summary: 'Add tags to several monitors, servers or sites, and remove tags of them',
    access: 'write',
    body: TagChange,
    status: 200,
    /** How many changed. */
    output: one(z.object({ changed: z.int() })),
    errors: [...BODY_ERRORS],
  },
} as const satisfies Record<string, Operation & { internal: true }>
