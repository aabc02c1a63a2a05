import * as z from 'zod'
import { AskedState } from '../core/accounts/asked-address.ts'
import { PAGED } from '../core/lists/list.ts'
import { RecordId } from '../core/record-id.ts'
import {
  MAX_BODY_LENGTH,
  MAX_TEMPLATES,
  NewPost,
  PostPatch,
  PostTemplate,
  PostUpdate,
  PostUpdatePatch,
} from '../core/status-pages/post.ts'
import { PostAbout } from '../core/status-pages/post-about.ts'
import {
  IncidentPage,
  MAX_SEARCH_LENGTH,
  PostProposal,
  PostState,
  ShownTemplate,
  StatusPostDetail,
  StatusPostRow,
  SubscriberRow,
} from '../core/status-pages/shown-post.ts'
import { MAX_STATUS_PAGES } from '../core/status-pages/status-page.ts'
import { prose, text } from '../core/text.ts'
import { many, one, page } from './envelope.ts'
import type { Operation } from './operation.ts'
import { INCIDENTS, onEach } from './subjects.ts'

const OF_PAGE = '/status-pages/{statusPage}'
const POST = '/status-posts/{statusPost}'
const UPDATE = '/status-updates/{statusUpdate}'
const TEMPLATE = '/status-templates/{statusTemplate}'
const BODY_ERRORS = ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'] as const
/** A text of the greatest length in the widest letters, and impacts of every component. */
const MAX_POST_BYTES = 256 * 1_024

/** A change of a post; the answer is the post with everything. */
const change = {
  internal: true,
  access: 'write',
  maxBodyBytes: MAX_POST_BYTES,
  output: one(StatusPostDetail),
} as const

const pagesOfIncident = {
  internal: true,
  method: 'GET',
  access: 'read',
  status: 200,
  output: many(IncidentPage, MAX_STATUS_PAGES),
  errors: ['notFound'],
} as const

const template = {
  internal: true,
  access: 'write',
  body: PostTemplate,
  maxBodyBytes: MAX_POST_BYTES,
  output: one(ShownTemplate),
} as const

export const statusPostOperations = {
  listStatusPosts: {
    internal: true,
    method: 'GET',
    path: `${OF_PAGE}/posts`,
    summary: 'List posts of a status page, newest first',
    access: 'read',
    query: z.object({ ...PAGED, state: PostState.optional() }),
    status: 200,
    output: page(StatusPostRow),
    errors: ['notFound', 'validationFailed'],
  },
  ...onEach(
    INCIDENTS,
    'list*Pages',
    '/status-pages',
    (words) => `List the status pages that show the subject of ${words}, with their posts about it`,
    pagesOfIncident,
  ),
  /** Fills the form of a new post: with what is down on the page, or what shows some subjects. */
  proposeStatusPost: {
    internal: true,
    method: 'GET',
    path: `${OF_PAGE}/posts/proposal`,
    summary: 'Propose a post about the components that are down, with their impact',
    access: 'read',
    query: PostAbout,
    status: 200,
    output: one(PostProposal),
    errors: ['notFound', 'validationFailed'],
  },
  createStatusPost: {
    ...change,
    method: 'POST',
    path: `${OF_PAGE}/posts`,
    summary: 'Write a post, as a draft or published',
    body: NewPost,
    status: 201,
    errors: ['notFound', ...BODY_ERRORS],
  },
  /** Title, text, times and components of the window; `starts_at` names the occurrence. */
  draftMaintenancePost: {
    ...change,
    method: 'POST',
    path: `${OF_PAGE}/posts/from-window`,
    summary: 'Draft a post about planned maintenance from an occurrence of a window',
    body: z.object({
      window_id: RecordId,
      starts_at: z.iso.datetime({ offset: true }).transform((value) => new Date(value)),
    }),
    status: 201,
    errors: ['notFound', ...BODY_ERRORS],
  },
  getStatusPost: {
    internal: true,
    method: 'GET',
    path: POST,
    summary: 'Show a post',
    access: 'read',
    status: 200,
    output: one(StatusPostDetail),
    errors: ['notFound'],
  },
  updateStatusPost: {
    ...change,
    method: 'PATCH',
    path: POST,
    summary: 'Change the title or the planned times of a post',
    body: PostPatch,
    status: 200,
    errors: ['notFound', ...BODY_ERRORS],
  },
  publishStatusPost: {
    ...change,
    method: 'POST',
    path: `${POST}/publish`,
    summary: 'Publish a draft',
    /** Whether subscribers are told, of its latest update. */
    body: z.object({ notifies: z.boolean().default(true) }),
    status: 200,
    errors: ['notFound', ...BODY_ERRORS],
  },
  deleteStatusPost: {
    internal: true,
    method: 'DELETE',
    path: POST,
    summary: 'Delete a post, for good',
    access: 'write',
    status: 204,
    errors: ['notFound'],
  },
  addStatusUpdate: {
    ...change,
    method: 'POST',
    path: `${POST}/updates`,
    summary: 'Add an update to a post',
    body: PostUpdate,
    status: 201,
    errors: ['notFound', ...BODY_ERRORS],
  },
  editStatusUpdate: {
    ...change,
    method: 'PATCH',
    path: UPDATE,
    summary: 'Change an update; nobody is told',
    body: PostUpdatePatch,
    status: 200,
    errors: ['notFound', ...BODY_ERRORS],
  },
  deleteStatusUpdate: {
    ...change,
    method: 'DELETE',
    path: UPDATE,
    summary: 'Delete an update; the only one goes with its post',
    status: 200,
    errors: ['notFound', 'validationFailed'],
  },
  previewStatusText: {
    internal: true,
    method: 'POST',
    path: '/status-posts/preview',
    summary: 'Show the text of a post as the page shows it',
    access: 'read',
    body: z.object({ body: prose(MAX_BODY_LENGTH) }),
    maxBodyBytes: MAX_POST_BYTES,
    status: 200,
    output: one(z.object({ html: z.string() })),
    errors: [...BODY_ERRORS],
  },
  listStatusTemplates: {
    internal: true,
    method: 'GET',
    path: '/status-templates',
    summary: 'List templates of posts, ordered by name',
    access: 'read',
    status: 200,
    output: many(ShownTemplate, MAX_TEMPLATES),
    errors: [],
  },
  createStatusTemplate: {
    ...template,
    method: 'POST',
    path: '/status-templates',
    summary: 'Create a template of posts',
    status: 201,
    errors: [...BODY_ERRORS],
  },
  updateStatusTemplate: {
    ...template,
    method: 'PATCH',
    path: TEMPLATE,
    summary: 'Change a template of posts',
    body: PostTemplate.partial(),
    status: 200,
    errors: ['notFound', ...BODY_ERRORS],
  },
  deleteStatusTemplate: {
    internal: true,
    method: 'DELETE',
    path: TEMPLATE,
    summary: 'Delete a template of posts',
    access: 'write',
    status: 204,
    errors: ['notFound'],
  },
  listStatusSubscribers: {
    internal: true,
    method: 'GET',
    path: `${OF_PAGE}/subscribers`,
    summary: 'List subscribers of a status page, newest first; viewers see no addresses',
    access: 'read',
    query: z.object({
      ...PAGED,
      state: AskedState.optional(),
      /** A part of the address; for those who see addresses. */
      search: text(MAX_SEARCH_LENGTH).default(''),
    }),
    status: 200,
    output: page(SubscriberRow),
    errors: ['notFound', 'validationFailed'],
  },
  exportStatusSubscribers: {
    internal: true,
    method: 'GET',
    path: `${OF_PAGE}/subscribers/export`,
    summary: 'Export the subscribers of a status page as CSV',
    access: 'write',
    audited: true,
    status: 200,
    output: one(z.object({ csv: z.string() })),
    errors: ['notFound'],
  },
  removeStatusSubscriber: {
    internal: true,
    method: 'DELETE',
    path: '/status-subscribers/{statusSubscriber}',
    summary: 'Remove a subscriber, who is not told',
    access: 'write',
    status: 204,
    errors: ['notFound'],
  },
} as const satisfies Record<string, Operation & { internal: true }>
