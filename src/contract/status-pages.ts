import * as z from 'zod'
import {
  DomainProof,
  LogoBody,
  PagePreview,
  PagePreviewRequest,
  StatusPageDetail,
  StatusPageLimits,
  StatusPagePatch,
  StatusPageRow,
} from '../core/status-pages/shown-page.ts'
import {
  Layout,
  MAX_LAYOUT_BYTES,
  MAX_LOGO_BODY_BYTES,
  MAX_STATUS_PAGES,
  PageDomain,
  PagePassword,
  StatusPage,
} from '../core/status-pages/status-page.ts'
import { many, one } from './envelope.ts'
import type { Operation } from './operation.ts'

const PATH = '/status-pages'
const ONE = `${PATH}/{statusPage}`
const BODY_ERRORS = ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'] as const

const DomainBody = z.object({ domain: PageDomain })

/** A change of a page; the answer is the page with everything. */
const change = {
  internal: true,
  access: 'write',
  status: 200,
  output: one(StatusPageDetail),
} as const

export const statusPageOperations = {
  listStatusPages: {
    internal: true,
    method: 'GET',
    path: PATH,
    summary: 'List status pages, ordered by name',
    access: 'read',
    status: 200,
    output: many(StatusPageRow, MAX_STATUS_PAGES).extend({ meta: StatusPageLimits }),
    errors: [],
  },
  createStatusPage: {
    internal: true,
    method: 'POST',
    path: PATH,
    summary: 'Create a status page, which nobody but the team sees until it is published',
    access: 'write',
    body: StatusPage,
    status: 201,
    output: one(StatusPageDetail),
    errors: ['planLimitReached', ...BODY_ERRORS],
  },
  getStatusPage: {
    internal: true,
    method: 'GET',
    path: ONE,
    summary: 'Show a status page',
    access: 'read',
    status: 200,
    output: one(StatusPageDetail),
    errors: ['notFound'],
  },
  updateStatusPage: {
    ...change,
    method: 'PATCH',
    path: ONE,
    summary: 'Change settings of a status page',
    body: StatusPagePatch,
    errors: ['notFound', ...BODY_ERRORS],
  },
  deleteStatusPage: {
    internal: true,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a status page with its posts and subscribers, for good',
    access: 'write',
    status: 204,
    errors: ['notFound'],
  },
  publishStatusPage: {
    ...change,
    method: 'POST',
    path: `${ONE}/publish`,
    summary: 'Publish a status page',
    errors: ['notFound', 'validationFailed'],
  },
  unpublishStatusPage: {
    ...change,
    method: 'POST',
    path: `${ONE}/unpublish`,
    summary: 'Take a status page off, for everyone but the team',
    errors: ['notFound'],
  },
  previewStatusPage: {
    internal: true,
    method: 'POST',
    path: `${ONE}/preview`,
    summary: 'Show a status page as it would be with changes, without saving them',
    access: 'read',
    body: PagePreviewRequest,
    maxBodyBytes: MAX_LAYOUT_BYTES,
    status: 200,
    output: one(PagePreview),
    errors: ['notFound', ...BODY_ERRORS],
  },
  /** Components and groups at once; those that have an id keep it, and those left out are removed. */
  saveStatusPageLayout: {
    ...change,
    method: 'PUT',
    path: `${ONE}/layout`,
    summary: 'Save what is on a status page, from top to bottom',
    body: Layout,
    maxBodyBytes: MAX_LAYOUT_BYTES,
    errors: ['notFound', ...BODY_ERRORS],
  },
  /** Visitors who entered an earlier one have to enter the new one. */
  setStatusPagePassword: {
    ...change,
    method: 'PUT',
    path: `${ONE}/password`,
    summary: 'Set the password of a status page',
    body: z.object({ password: PagePassword }),
    errors: ['notFound', ...BODY_ERRORS],
  },
  clearStatusPagePassword: {
    ...change,
    method: 'DELETE',
    path: `${ONE}/password`,
    summary: 'Remove the password of a status page',
    errors: ['notFound', 'validationFailed'],
  },
  setStatusPageLogo: {
    ...change,
    method: 'PUT',
    path: `${ONE}/logo`,
    summary: 'Set the logo of a status page',
    body: LogoBody,
    maxBodyBytes: MAX_LOGO_BODY_BYTES,
    errors: ['notFound', ...BODY_ERRORS],
  },
  clearStatusPageLogo: {
    ...change,
    method: 'DELETE',
    path: `${ONE}/logo`,
    summary: 'Remove the logo of a status page',
    errors: ['notFound'],
  },
  rotateStatusPageFeedToken: {
    ...change,
    method: 'POST',
    path: `${ONE}/feed-token`,
    summary: 'Give the feeds of a private page a secret address; a former one stops working',
    errors: ['notFound'],
  },
  clearStatusPageFeedToken: {
    ...change,
    method: 'DELETE',
    path: `${ONE}/feed-token`,
    summary: 'Stop the secret address of the feeds',
    errors: ['notFound'],
  },
  addStatusPageDomain: {
    ...change,
    method: 'POST',
    path: `${ONE}/domains`,
    summary: 'Add an own domain, to be proved',
    body: DomainBody,
    errors: ['planLimitReached', 'notFound', ...BODY_ERRORS],
  },
  /** Looks the DNS record up now, and says what it found. */
  proveStatusPageDomain: {
    internal: true,
    method: 'POST',
    path: `${ONE}/domains/prove`,
    summary: 'Prove an own domain by its DNS record',
    access: 'write',
    body: DomainBody,
    status: 200,
    output: one(DomainProof),
    errors: ['notFound', ...BODY_ERRORS],
  },
  removeStatusPageDomain: {
    ...change,
    method: 'POST',
    path: `${ONE}/domains/remove`,
    summary: 'Remove an own domain',
    body: DomainBody,
    errors: ['notFound', ...BODY_ERRORS],
  },
} as const satisfies Record<string, Operation & { internal: true }>
